// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "troupe/onnx/graph_writer.hpp"
#include "troupe/tasks/layout.hpp"

namespace troupe {

/// Slices of the axes of a contiguous array, some of which form a view.
struct axis_slices {
  shape grid;                                       ///< of the same elements as the array
  std::vector<std::int64_t> starts, steps, counts;  ///< for each axis of the grid
  /// The axis of the grid along which each axis of the view goes, -1 for one of size 1 or that
  /// repeats its elements.
  std::vector<int> axes;

  /// Returns the axes of the grid in the order of the view; those that have no part in it come
  /// last.
  std::vector<std::int64_t> order() const;
};

/// Takes a view of a whole array apart; nothing if it goes through its elements in another way.
std::optional<axis_slices> slices_of(const shape& whole, const layout& view);

/// Returns the places of a view's elements in the whole array, in row-major order.
std::vector<std::int64_t> places_of(const layout& view);

/// Adds the nodes that make a view of a whole array: a reshape, slices, a transpose, an expansion,
/// or where they cannot, a gather.
onnx_value add_view(graph_writer& to, const onnx_value& whole, const layout& view);

}  // namespace troupe
