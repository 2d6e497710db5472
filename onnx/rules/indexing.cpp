// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/onnx/rules/flat_index.hpp"
#include "troupe/onnx/rules/rule.hpp"

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

void gather(graph_node& n) {
  n.out(0, "take(" + n.in(0) + ", " + n.in(1) +
               ", axis=" + std::to_string(n.axis_attribute(0, n.rank())) + ')');
}

/// Cuts the other axes of the data to the sizes of the indices.
void gather_elements(graph_node& n) {
  const auto d = n.dims(0), of = n.dims(1);
  n.refuse_if(d.rank() != of.rank(), "indices with another number of axes");
  const auto axis = n.axis_attribute(0, d.rank());
  auto x = n.in(0);
  for (int i = 0; i < d.rank(); ++i) {
    n.refuse_if(i != axis && of[i] > d[i], "indices of a larger shape");
    if (i != axis && of[i] < d[i])
      x = n.line("slice(" + x + ", " + std::to_string(i) + ", 0, " + std::to_string(of[i]) + ')');
  }
  n.out(0, "take_along_axis(" + x + ", " + n.in(1) + ", " + std::to_string(axis) + ')');
}

/// The indices of one element each become its number in row-major order.
void gather_nd(graph_node& n) {
  const auto d = n.dims(0), of = n.dims(1);
  const auto batch = n.attribute("batch_dims", 0);
  n.refuse_if(d.rank() < 1 || of.rank() < 1 || batch < 0 || batch >= std::min(d.rank(), of.rank()),
              "attribute batch_dims, or too few axes: not supported");
  const auto depth = of[of.rank() - 1];
  n.refuse_if(depth < 1 || batch + depth > d.rank(), "more indices than axes");
  const auto last = static_cast<int>(batch + depth);
  sizes flat = {1}, result(of.begin(), of.end() - 1);
  for (int i = 0; i < last; ++i) flat[0] *= d[i];
  for (int i = 0; i < batch; ++i) n.refuse_if(d[i] != of[i], "shapes that do not fit");
  for (int i = last; i < d.rank(); ++i) {
    flat.push_back(d[i]);
    result.push_back(d[i]);
  }
  flat_index index;
  for (int i = 0; i < batch; ++i) {
    sizes by(static_cast<std::size_t>(of.rank() - 1), 1);
    by[static_cast<std::size_t>(i)] = d[i];
    index.axes.push_back(
        n.line("reshape(arange(" + std::to_string(d[i]) + "), " + text_of(by) + ')'));
    index.sizes.push_back(d[i]);
  }
  for (std::int64_t i = 0; i < depth; ++i) {
    index.axes.push_back(n.line(n.in(1) + "[..., " + std::to_string(i) + ']'));
    index.sizes.push_back(d[static_cast<int>(batch + i)]);
  }
  n.out(0, "reshape(take(reshape(" + n.in(0) + ", " + text_of(flat) + "), " + index.write(n) +
               ", axis=0), " + text_of(result) + ')');
}

void one_hot(graph_node& n) {
  const auto of = n.dims(0);
  const auto depth = static_cast<std::int64_t>(n.real(1));
  n.refuse_if(depth < 1, "a depth below 1");
  n.refuse_if(n.dims(2) != shape{2}, "values that are not two");
  const auto rank = of.rank() + 1;
  n.refuse_if(rank > max_rank, "more than 8 axes: not supported");
  const auto axis = n.axis_attribute(-1, rank);
  sizes along(static_cast<std::size_t>(rank), 1);
  along[static_cast<std::size_t>(axis)] = depth;
  auto labels = n.line(is_floating(n.element()) ? "astype(" + n.in(0) + ", int64)" : n.in(0));
  labels = n.line("expand_dims(where(" + labels + " < 0, " + labels + " + " +
                  std::to_string(depth) + ", " + labels + "), " + std::to_string(axis) + ')');
  const auto values = n.in(2);
  n.out(0, "where(equal(" + labels + ", reshape(arange(" + std::to_string(depth) + "), " +
               text_of(along) + ")), " + values + "[1], " + values + "[0])");
}

/// Each sequence's first elements backwards, as many as it has.
void reverse_sequence(graph_node& n) {
  const auto d = n.dims();
  const auto time = n.axis(n.attribute("time_axis", 0), d.rank());
  const auto batch = n.axis(n.attribute("batch_axis", 1), d.rank());
  n.refuse_if(time == batch || n.dims(1) != shape{d[batch]}, "axes that do not fit");
  sizes along(static_cast<std::size_t>(d.rank()), 1), across = along;
  along[static_cast<std::size_t>(time)] = d[time];
  across[static_cast<std::size_t>(batch)] = d[batch];
  const auto at =
      n.line("reshape(arange(" + std::to_string(d[time]) + "), " + text_of(along) + ')');
  const auto count = n.line("reshape(" + n.in(1) + ", " + text_of(across) + ')');
  const auto from =
      n.line("where(" + at + " < " + count + ", " + count + " - 1 - " + at + ", " + at + ')');
  n.out(0, "take_along_axis(" + n.in(0) + ", broadcast_to(" + from + ", " + text_of(d) + "), " +
               std::to_string(time) + ')');
}

}  // namespace

std::vector<rule> indexing_rules() {
  return {{"Gather", gather},
          {"GatherElements", gather_elements},
          {"GatherND", gather_nd},
          {"OneHot", one_hot},
          {"ReverseSequence", reverse_sequence}};
}

}  // namespace troupe
