// SPDX-License-Identifier: MIT
#include "troupe/onnx/view_nodes.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace troupe {

namespace {

bool moves(const layout& view, int axis) { return view.dims[axis] > 1 && view.strides[axis] != 0; }

/// Returns the grid that a view's own strides make of so many elements, if they divide each other.
std::optional<shape> grid_of(const layout& view, std::int64_t size) {
  std::vector<std::int64_t> distances;
  for (int i = 0; i < view.dims.rank(); ++i) {
    if (moves(view, i)) distances.push_back(std::abs(view.strides[i]));
  }
  std::ranges::sort(distances, std::greater());
  const auto repeated = std::ranges::unique(distances);
  distances.erase(repeated.begin(), repeated.end());
  if (distances.empty() || distances.back() != 1) distances.push_back(1);
  if (distances.size() > max_rank) return {};
  shape grid;
  for (auto rest = size; const auto one : distances) {
    if (rest % one != 0) return {};
    grid.push_back(rest / one);
    rest = one;
  }
  return grid;
}

/// Finds the slices of a grid that a view, which has elements, is made of.
std::optional<axis_slices> slices_along(const shape& grid, const layout& view) {
  const layout all(grid);
  const auto rank = static_cast<std::size_t>(grid.rank());
  axis_slices out{grid,
                  std::vector<std::int64_t>(rank),
                  std::vector<std::int64_t>(rank, 1),
                  std::vector<std::int64_t>(rank, 1),
                  {}};
  auto first = view.offset;
  for (int i = 0; i < view.dims.rank(); ++i) {
    if (view.strides[i] < 0) first += view.strides[i] * (view.dims[i] - 1);
  }
  if (first < 0) return {};
  for (int g = 0; g < grid.rank(); ++g) {
    out.starts[static_cast<std::size_t>(g)] = first / all.strides[g];
    first %= all.strides[g];
  }
  std::vector<bool> used(rank);
  for (int i = 0; i < view.dims.rank(); ++i) {
    out.axes.push_back(-1);
    if (!moves(view, i)) continue;
    const auto distance = std::abs(view.strides[i]), steps = view.dims[i] - 1;
    for (int g = 0; g < grid.rank() && out.axes.back() < 0; ++g) {
      const auto at = static_cast<std::size_t>(g);
      const auto step = distance / all.strides[g];
      if (used[at] || distance % all.strides[g] != 0 || out.starts[at] + step * steps >= grid[g])
        continue;
      used[at] = true;
      out.counts[at] = view.dims[i];
      out.steps[at] = view.strides[i] < 0 ? -step : step;
      if (view.strides[i] < 0) out.starts[at] += step * steps;
      out.axes.back() = g;
    }
    if (out.axes.back() < 0) return {};
  }
  for (int g = 0; g < grid.rank(); ++g) {
    if (out.starts[static_cast<std::size_t>(g)] >= grid[g]) return {};
  }
  return out;
}

onnx_value sliced(graph_writer& to, const onnx_value& x, const axis_slices& by) {
  std::vector<std::int64_t> starts, ends, axes, steps;
  auto dims = x.dims;
  for (int g = 0; g < x.dims.rank(); ++g) {
    const auto at = static_cast<std::size_t>(g);
    const auto start = by.starts[at], step = by.steps[at], count = by.counts[at];
    if (start == 0 && step == 1 && count == x.dims[g]) continue;
    const auto end = start + step * count;
    starts.push_back(start);
    ends.push_back(end < 0 ? INT64_MIN : std::min(end, x.dims[g]));
    axes.push_back(g);
    steps.push_back(step);
    dims[g] = count;
  }
  if (axes.empty()) return x;
  return to.add("Slice", {x, to.list(starts), to.list(ends), to.list(axes), to.list(steps)},
                x.element, dims);
}

}  // namespace

std::vector<std::int64_t> axis_slices::order() const {
  std::vector<std::int64_t> out;
  for (const auto g : axes) {
    if (g >= 0) out.push_back(g);
  }
  // Axes of size 1 stay where they disturb nothing.
  if (std::ranges::is_sorted(out)) {
    out.clear();
    for (int g = 0; g < grid.rank(); ++g) out.push_back(g);
    return out;
  }
  for (int g = 0; g < grid.rank(); ++g) {
    if (std::ranges::find(out, g) == out.end()) out.push_back(g);
  }
  return out;
}

std::optional<axis_slices> slices_of(const shape& whole, const layout& view) {
  if (view.dims.size() == 0) return {};
  if (auto along_own = slices_along(whole, view)) return along_own;
  const auto grid = grid_of(view, whole.size());
  return grid ? slices_along(*grid, view) : std::nullopt;
}

std::vector<std::int64_t> places_of(const layout& view) {
  std::vector<std::int64_t> out{view.offset};
  if (view.dims.size() == 0) return {};
  for (int i = 0; i < view.dims.rank(); ++i) {
    std::vector<std::int64_t> more;
    more.reserve(out.size() * static_cast<std::size_t>(view.dims[i]));
    for (const auto place : out) {
      for (std::int64_t n = 0; n < view.dims[i]; ++n) more.push_back(place + n * view.strides[i]);
    }
    out = std::move(more);
  }
  return out;
}

onnx_value add_view(graph_writer& to, const onnx_value& whole, const layout& view) {
  if (view.dims.size() == 0) return to.full(view.dims, {whole.element, 0});
  auto once = view;  // without what is repeated
  for (int i = 0; i < view.dims.rank(); ++i) {
    if (view.strides[i] == 0) once.dims[i] = 1;
  }
  if (const auto by = slices_of(whole.dims, once)) {
    const auto parts = sliced(to, to.reshape(whole, by->grid), *by);
    return to.expand(to.reshape(to.transpose(parts, by->order()), once.dims), view.dims);
  }
  const auto flat = to.reshape(whole, {whole.dims.size()});
  return to.expand(to.add("Gather", {flat, to.list(places_of(once), once.dims)}, whole.element,
                          once.dims, {{"axis", std::int64_t{0}}}),
                   view.dims);
}

}  // namespace troupe
