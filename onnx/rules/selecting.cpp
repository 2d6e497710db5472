// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>
#include <span>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"

// Operators whose results have a shape that depends on elements: what decides must be constant.

namespace troupe {

namespace {

using sizes = std::vector<std::int64_t>;

/// Most elements of a constant input here.
constexpr std::int64_t most_examined = 1'000'000;

const tensor& examined(graph_node& n, int i) {
  const auto& x = n.constant_input(i);
  n.refuse_if(x.size() > most_examined, "so large an input: not supported");
  return x;
}

void nonzero(graph_node& n) {
  const auto& x = examined(n, 0);
  n.refuse_if(x.rank() == 0, "of a number: not supported");
  const auto numbers = x.to_vector<double>(n.where());
  sizes found;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != 0) found.push_back(static_cast<std::int64_t>(i));
  }
  const auto count = static_cast<std::int64_t>(found.size());
  sizes all(static_cast<std::size_t>(x.rank()) * found.size());
  for (std::int64_t axis = x.rank() - 1; axis >= 0; --axis) {
    const auto size = x.shape()[static_cast<int>(axis)];
    for (std::size_t i = 0; i < found.size(); ++i) {
      all[static_cast<std::size_t>(axis * count) + i] = found[i] % size;
      found[i] /= size;
    }
  }
  n.out_known(0, from_data(all, {x.rank(), count}));
}

void compress(graph_node& n) {
  const auto keep = examined(n, 1).to_vector<std::int32_t>(n.where());
  const bool along_axis = n.has_attribute("axis");
  const auto axis = along_axis ? n.axis_attribute(0, n.rank()) : 0;
  const auto size = along_axis ? n.dims()[axis] : n.dims().size();
  n.refuse_if(std::cmp_greater(keep.size(), size), "a condition that is longer than the axis");
  sizes positions;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] != 0) positions.push_back(static_cast<std::int64_t>(i));
  }
  const auto x = along_axis ? n.in(0) : n.line("flatten(" + n.in(0) + ')');
  n.out(0, "take(" + x + ", " + n.constant(from_data(positions)) +
               ", axis=" + std::to_string(axis) + ')');
}

/// Different rows of numbers: where each is first, how many there are, and which each row is.
struct different_rows {
  sizes first, counts, inverse;

  template <class T>
  different_rows(const std::vector<T>& numbers, std::size_t rows, bool sorted) : inverse(rows) {
    const auto width = rows == 0 ? 0 : numbers.size() / rows;
    const auto row = [&](std::int64_t i) {
      return std::span(numbers).subspan(static_cast<std::size_t>(i) * width, width);
    };
    sizes order(rows);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](auto a, auto b) {
      return std::ranges::lexicographical_compare(row(a), row(b));
    });
    std::vector<sizes> groups;
    for (const auto i : order) {
      if (groups.empty() || !std::ranges::equal(row(groups.back()[0]), row(i)))
        groups.emplace_back();
      groups.back().push_back(i);
    }
    if (!sorted) std::ranges::sort(groups, {}, [](const sizes& group) { return group[0]; });
    for (const auto& group : groups) {
      for (const auto i : group)
        inverse[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(first.size());
      first.push_back(group[0]);
      counts.push_back(static_cast<std::int64_t>(group.size()));
    }
  }
};

void unique(graph_node& n) {
  auto x = examined(n, 0);
  const bool along_axis = n.has_attribute("axis");
  const auto axis = along_axis ? n.axis_attribute(0, x.rank()) : 0;
  if (!along_axis) x = flatten(x);
  const auto slices = moveaxis(x, axis, 0);
  const auto rows = static_cast<std::size_t>(x.shape()[axis]);
  const bool sorted = n.attribute("sorted", 1) != 0;
  const auto found = is_floating(x.dtype())
                         ? different_rows(slices.to_vector<double>(n.where()), rows, sorted)
                         : different_rows(slices.to_vector<std::int64_t>(n.where()), rows, sorted);
  n.out_known(0, take(x, from_data(found.first), axis));
  if (n.wants(1)) n.out_known(1, from_data(found.first));
  if (n.wants(2)) n.out_known(2, from_data(found.inverse));
  if (n.wants(3)) n.out_known(3, from_data(found.counts));
}

/// Box by the places of its sides.
struct box {
  double low_y, low_x, high_y, high_x;

  box(std::span<const double> from, bool by_centre) {
    if (by_centre) {  // x, y, width, height
      low_x = from[0] - from[2] / 2;
      high_x = from[0] + from[2] / 2;
      low_y = from[1] - from[3] / 2;
      high_y = from[1] + from[3] / 2;
    } else {
      std::tie(low_y, high_y) = std::minmax(from[0], from[2]);
      std::tie(low_x, high_x) = std::minmax(from[1], from[3]);
    }
  }
  double area() const { return (high_y - low_y) * (high_x - low_x); }
};

/// Returns the area of two boxes' intersection as a share of that of their union.
double overlap(const box& a, const box& b) {
  const auto height = std::min(a.high_y, b.high_y) - std::max(a.low_y, b.low_y);
  const auto width = std::min(a.high_x, b.high_x) - std::max(a.low_x, b.low_x);
  if (height <= 0 || width <= 0) return 0;
  return height * width / (a.area() + b.area() - height * width);
}

/// Boxes of which none overlaps a better one too much.
void suppress(graph_node& n) {
  const auto of = n.dims(0), by = n.dims(1);
  n.refuse_if(of.rank() != 3 || of[2] != 4 || by.rank() != 3 || by[0] != of[0] || by[2] != of[1],
              "shapes that do not fit");
  const auto boxes = examined(n, 0).to_vector<double>(n.where());
  const auto scores = examined(n, 1).to_vector<double>(n.where());
  const auto most = n.has(2) ? n.integer(2) : 0;
  const auto share = n.has(3) ? n.real(3) : 0;
  const bool by_centre = n.attribute("center_point_box", 0) != 0;
  const auto count = static_cast<std::size_t>(of[1]);
  sizes found;
  for (std::int64_t row = 0; row < by[0] * by[1]; ++row) {
    const auto batch = row / by[1];
    const auto score = std::span(scores).subspan(static_cast<std::size_t>(row) * count, count);
    const auto at = [&](std::size_t i) {
      const auto place = (static_cast<std::size_t>(batch) * count + i) * 4;
      return box(std::span(boxes).subspan(place, 4), by_centre);
    };
    std::vector<std::size_t> candidates, kept;
    for (std::size_t i = 0; i < count; ++i) {
      if (!n.has(4) || score[i] > n.real(4)) candidates.push_back(i);
    }
    std::ranges::stable_sort(candidates, std::greater<>(), [&](auto i) { return score[i]; });
    for (const auto i : candidates) {
      if (std::cmp_greater_equal(kept.size(), most)) break;
      if (std::ranges::any_of(kept, [&](auto k) { return overlap(at(k), at(i)) > share; }))
        continue;
      kept.push_back(i);
      found.insert(found.end(), {batch, row % by[1], static_cast<std::int64_t>(i)});
    }
  }
  n.out_known(0, from_data(found, {static_cast<std::int64_t>(found.size() / 3), 3}));
}

/// The best of an axis, in order; of equal ones the first.
void top(graph_node& n) {
  const auto count = n.opset() < 10 ? n.attribute("k", 0) : n.integer(1);
  const auto axis = n.axis_attribute(-1, n.rank());
  n.refuse_if(count < 0 || count > n.dims()[axis], "more than there are");
  n.attribute("sorted", 1);
  const bool largest = n.attribute("largest", 1) != 0;
  const auto along = std::to_string(axis);
  const auto places =
      n.line("slice(argsort(" + n.in(0) + ", " + along + (largest ? ", descending=true" : "") +
             "), " + along + ", 0, " + std::to_string(count) + ')');
  n.out(0, "take_along_axis(" + n.in(0) + ", " + places + ", " + along + ')');
  n.out_is(1, places);
}

}  // namespace

std::vector<rule> selecting_rules() {
  return {{"Compress", compress},
          {"NonMaxSuppression", suppress},
          {"NonZero", nonzero},
          {"TopK", top},
          {"Unique", unique}};
}

}  // namespace troupe
