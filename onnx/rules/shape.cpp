// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/padding.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/text/quoted.hpp"

// Operators that arrange elements.

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

void identity(graph_node& n) { n.out_is(0, n.in(0)); }

void dropout(graph_node& n) {
  if (n.opset() < 7) n.refuse_if(n.attribute("is_test", 0) == 0, "in training: not supported");
  n.has_attribute("seed");
  n.ignore(1);
  if (n.opset() < 12) {
    n.real_attribute("ratio", 0.5F);
  } else if (n.has(2)) {
    // With a ratio of 0 training is no other thing.
    const bool trains = n.real(2) != 0;
    n.refuse_if(trains && (!n.has(1) || n.real(1) != 0), "in training: not supported");
  }
  n.out_is(0, n.in(0));
  if (n.wants(1)) {
    n.refuse_if(n.opset() < 10, "output 2 of this version: not supported");
    n.out(1, "full(" + text_of(n.dims()) + ", true)");
  }
}

void reshape(graph_node& n) {
  auto wanted = n.integers(1);
  const bool zeros = n.opset() >= 14 && n.attribute("allowzero", 0) != 0;
  for (const auto one : wanted) n.refuse_if(one < -1, "a negative size");
  for (std::size_t i = 0; i < wanted.size() && !zeros; ++i) {
    if (wanted[i] != 0) continue;
    n.refuse_if(std::cmp_greater_equal(i, n.rank()), "its shape has a 0 without an axis");
    wanted[i] = n.dims()[static_cast<int>(i)];
  }
  n.out(0, "reshape(" + n.in(0) + ", " + text_of(wanted) + ')');
}

void flatten(graph_node& n) {
  const auto dims = n.dims();
  const auto given = n.attribute("axis", 1);
  n.refuse_if(given < -dims.rank() || given > dims.rank(), "its axis is not there");
  const auto axis = given < 0 ? given + dims.rank() : given;
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, std::int64_t{1}, std::multiplies<>());
  };
  n.out(0, "reshape(" + n.in(0) + ", " +
               text_of(sizes{product(dims.begin(), dims.begin() + axis),
                             product(dims.begin() + axis, dims.end())}) +
               ')');
}

/// Returns axes that are an attribute before version 13 and an input from then on, in order.
std::optional<sizes> axes_of(graph_node& n, int rank) {
  std::optional<sizes> given;
  if (n.opset() < 13) given = n.list_attribute("axes");
  else if (n.has(1)) given = n.integers(1);
  if (!given) return {};
  for (auto& one : *given) one = n.axis(one, rank);
  std::ranges::sort(*given);
  n.refuse_if(std::ranges::adjacent_find(*given) != given->end(), "an axis comes twice");
  return given;
}

void squeeze(graph_node& n) {
  const auto dims = n.dims();
  const auto gone = axes_of(n, dims.rank());
  sizes left;
  for (int i = 0; i < dims.rank(); ++i) {
    const bool goes = gone ? std::ranges::count(*gone, i) > 0 : dims[i] == 1;
    n.refuse_if(goes && dims[i] != 1, "axis " + std::to_string(i) + " is not of size 1");
    if (!goes) left.push_back(dims[i]);
  }
  n.out(0, "reshape(" + n.in(0) + ", " + text_of(left) + ')');
}

void unsqueeze(graph_node& n) {
  const auto dims = n.dims();
  sizes all(dims.begin(), dims.end());
  const auto count =
      n.opset() < 13 ? n.list_attribute("axes").value_or(sizes{}).size() : n.integers(1).size();
  n.refuse_if(count + all.size() > static_cast<std::size_t>(max_rank),
              "more than 8 axes: not supported");
  const auto added = axes_of(n, static_cast<int>(count) + dims.rank());
  for (const auto one : *added) all.insert(all.begin() + one, 1);
  n.out(0, "reshape(" + n.in(0) + ", " + text_of(all) + ')');
}

void transpose(graph_node& n) {
  auto order = n.list_attribute("perm");
  if (order) {
    for (auto& one : *order) one = n.axis(one, n.rank());
  }
  n.out(0, "transpose(" + n.in(0) + (order ? ", " + text_of(*order) : "") + ')');
}

void expand(graph_node& n) {
  const auto from = n.dims();
  const auto wanted = n.integers(1);
  n.refuse_if(wanted.size() > static_cast<std::size_t>(max_rank),
              "more than 8 axes: not supported");
  sizes all(std::max<std::size_t>(wanted.size(), static_cast<std::size_t>(from.rank())), 1);
  std::ranges::copy_backward(wanted, all.end());
  for (int i = 1; i <= from.rank(); ++i) {
    auto& one = *(all.end() - i);
    const auto own = from[from.rank() - i];
    n.refuse_if(own != 1 && one != 1 && own != one, "shapes that do not fit");
    if (one == 1) one = own;
  }
  n.out(0, "broadcast_to(" + n.in(0) + ", " + text_of(all) + ')');
}

/// Each axis behind a new one, along which it is repeated.
void tile(graph_node& n) {
  const auto dims = n.dims();
  const auto times = n.integers(1);
  n.refuse_if(std::cmp_not_equal(times.size(), dims.rank()), "as many repeats as axes are needed");
  auto x = n.in(0);
  for (int i = 0; i < dims.rank(); ++i) {
    const auto count = times[static_cast<std::size_t>(i)];
    n.refuse_if(count < 0 || count > 1'000'000, "so many repeats: not supported");
    if (count == 1) continue;
    const auto positions = n.line("remainder(arange(" + std::to_string(count * dims[i]) + "), " +
                                  std::to_string(std::max<std::int64_t>(dims[i], 1)) + ')');
    x = n.line("take(" + x + ", " + positions + ", axis=" + std::to_string(i) + ')');
  }
  n.out_is(0, x);
}

void concatenate(graph_node& n) {
  std::string all;
  for (int i = 0; i < n.inputs(); ++i) all += (i > 0 ? ", " : "") + n.in(i);
  n.out(0,
        "concatenate([" + all + "], axis=" + std::to_string(n.axis_attribute(0, n.rank())) + ')');
}

/// The elements of a sequence, which are inputs one by one.
void concatenate_sequence(graph_node& n) {
  n.refuse_if(n.inputs() == 0, "of no elements: not supported");
  const bool on_new_axis = n.attribute("new_axis", 0) != 0;
  const auto axis = n.axis_attribute(0, n.rank() + (on_new_axis ? 1 : 0));
  std::string all;
  for (int i = 0; i < n.inputs(); ++i) all += (i > 0 ? ", " : "") + n.in(i);
  n.out(0, std::string(on_new_axis ? "stack([" : "concatenate([") + all +
               "], axis=" + std::to_string(axis) + ')');
}

void split(graph_node& n) {
  const auto dims = n.dims();
  const auto axis = n.axis_attribute(0, dims.rank());
  std::optional<sizes> parts;
  if (n.opset() < 13) parts = n.list_attribute("split");
  else if (n.has(1)) parts = n.integers(1);
  if (!parts) {
    n.refuse_if(n.outputs() == 0 || dims[axis] % n.outputs() != 0,
                "parts that are not equal: not supported");
    parts.emplace(static_cast<std::size_t>(n.outputs()), dims[axis] / n.outputs());
  }
  n.refuse_if(std::cmp_not_equal(parts->size(), n.outputs()), "not as many parts as outputs");
  std::int64_t from = 0;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const auto size = (*parts)[i];
    n.refuse_if(size < 0 || size > dims[axis] - from, "parts that are not those of the axis");
    n.out(static_cast<int>(i), "slice(" + n.in(0) + ", " + std::to_string(axis) + ", " +
                                   std::to_string(from) + ", " + std::to_string(from + size) + ')');
    from += size;
  }
  n.refuse_if(from != dims[axis], "parts that are not those of the axis");
}

void slice(graph_node& n) {
  const auto dims = n.dims();
  sizes starts, ends, axes, steps;
  if (n.opset() < 10) {
    starts = n.list_attribute("starts").value_or(sizes{});
    ends = n.list_attribute("ends").value_or(sizes{});
    axes = n.list_attribute("axes").value_or(sizes{});
  } else {
    starts = n.integers(1);
    ends = n.integers(2);
    if (n.has(3)) axes = n.integers(3);
    if (n.has(4)) steps = n.integers(4);
  }
  if (axes.empty()) {
    axes.resize(starts.size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (steps.empty()) steps.assign(starts.size(), 1);
  n.refuse_if(
      ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size(),
      "lists of different lengths");
  auto x = n.in(0);
  sizes seen;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const int axis = n.axis(axes[i], dims.rank());
    n.refuse_if(std::ranges::count(seen, axis) > 0, "an axis comes twice");
    seen.push_back(axis);
    const auto size = dims[axis], step = steps[i];
    n.refuse_if(step == 0 || step < -INT32_MAX || step > INT32_MAX,
                "so large a step, or none: not supported");
    const auto lowest = step > 0 ? 0 : -1, highest = step > 0 ? 0 : 1;
    const auto place = [&](std::int64_t at, std::int64_t least) {
      at = at < 0 ? at + size : at;
      return std::max(std::min(at, size - highest), least);
    };
    const auto from = place(starts[i], 0), to = place(ends[i], lowest);
    if (size == 0 || (step > 0 ? from >= to : from <= to)) {
      x = n.line("slice(" + x + ", " + std::to_string(axis) + ", 0, 0)");
      continue;
    }
    x = n.line("slice(" + x + ", " + std::to_string(axis) + ", " + std::to_string(from) + ", " +
               (to < 0 ? "none" : std::to_string(to)) + ", " + std::to_string(step) + ')');
  }
  n.out_is(0, x);
}

/// Returns each axis's sizes of a padding: before all axes and behind all axes.
void pad(graph_node& n) {
  const auto dims = n.dims();
  const auto given = n.opset() < 11 ? n.list_attribute("pads").value_or(sizes{}) : n.integers(1);
  n.refuse_if(std::cmp_not_equal(given.size(), 2 * dims.rank()), "not two pads for each axis");
  const auto middle = given.begin() + dims.rank();
  const sizes before(given.begin(), middle), behind(middle, given.end());
  for (const auto one : given) n.refuse_if(one < 0, "negative pads: not supported");
  const auto mode = n.text_attribute("mode", "constant");
  if (mode == "constant") {
    std::string number = "0";
    if (n.opset() < 11) number = n.literal("value", 0);
    else if (n.has(2)) number = "reshape(" + n.in(2) + ", [])";
    return n.out_is(0, padded(n, n.in(0), dims, before, behind, number, n.element()));
  }
  n.refuse_if(mode != "edge" && mode != "reflect",
              "attribute mode " + quoted(mode) + ": not supported");
  auto x = n.in(0);
  for (int i = 0; i < dims.rank(); ++i) {
    const auto first = before[static_cast<std::size_t>(i)],
               last = behind[static_cast<std::size_t>(i)];
    const auto most = mode == "edge" ? most_positions : dims[i] - 1;
    n.refuse_if(dims[i] == 0 || first > most || last > most, "so large pads: not supported");
    if (first == 0 && last == 0) continue;
    const auto positions =
        n.line("arange(" + std::to_string(-first) + ", " + std::to_string(dims[i] + last) + ')');
    const auto end = std::to_string(dims[i] - 1);
    const auto inside = mode == "edge" ? "clip(" + positions + ", 0, " + end + ')'
                                       : end + " - abs(" + end + " - abs(" + positions + "))";
    x = n.line("take(" + x + ", " + inside + ", axis=" + std::to_string(i) + ')');
  }
  n.out_is(0, x);
}

void depth_and_space(graph_node& n) {
  const auto d = n.dims();
  n.refuse_if(d.rank() != 4, "not of images: not supported");
  const auto b = n.attribute("blocksize", 0);
  const bool to_space = n.op() == "DepthToSpace";
  n.refuse_if(
      b <= 0 || b > 1'000'000 || (to_space ? d[1] % (b * b) != 0 : d[2] % b != 0 || d[3] % b != 0),
      "a block size that does not fit");
  sizes apart, order, together;
  if (to_space) {
    const auto mode = n.text_attribute("mode", "DCR");
    n.refuse_if(mode != "DCR" && mode != "CRD",
                "attribute mode " + quoted(mode) + ": not supported");
    const auto c = d[1] / (b * b);
    apart = mode == "DCR" ? sizes{d[0], b, b, c, d[2], d[3]} : sizes{d[0], c, b, b, d[2], d[3]};
    order = mode == "DCR" ? sizes{0, 3, 4, 1, 5, 2} : sizes{0, 1, 4, 2, 5, 3};
    together = {d[0], c, d[2] * b, d[3] * b};
  } else {
    apart = {d[0], d[1], d[2] / b, b, d[3] / b, b};
    order = {0, 3, 5, 1, 2, 4};
    together = {d[0], d[1] * b * b, d[2] / b, d[3] / b};
  }
  n.out(0, "reshape(transpose(reshape(" + n.in(0) + ", " + text_of(apart) + "), " + text_of(order) +
               "), " + text_of(together) + ')');
}

void triangle(graph_node& n) {
  const auto dims = n.dims();
  n.refuse_if(dims.rank() < 2, "not of matrices: not supported");
  const auto k = n.has(1) ? n.integer(1) : 0;
  n.refuse_if(k < -INT32_MAX || k > INT32_MAX, "so distant a diagonal: not supported");
  const auto distance =
      n.line("arange(" + std::to_string(dims[dims.rank() - 1]) + ") - expand_dims(arange(" +
             std::to_string(dims[dims.rank() - 2]) + "), 1)");
  const bool upper = n.attribute("upper", 1) != 0;
  n.out(0, "where(" + distance + (upper ? " >= " : " <= ") + "(" + std::to_string(k) + "), " +
               n.in(0) + ", 0)");
}

}  // namespace

std::vector<rule> shape_rules() {
  return {{"Identity", identity},
          {"Dropout", dropout},
          {"Reshape", reshape},
          {"Flatten", flatten},
          {"Squeeze", squeeze},
          {"Unsqueeze", unsqueeze},
          {"Transpose", transpose},
          {"Expand", expand},
          {"Tile", tile},
          {"Concat", concatenate},
          {"ConcatFromSequence", concatenate_sequence},
          {"Split", split},
          {"Slice", slice},
          {"Pad", pad},
          {"DepthToSpace", depth_and_space},
          {"SpaceToDepth", depth_and_space},
          {"Trilu", triangle}};
}

}  // namespace troupe
