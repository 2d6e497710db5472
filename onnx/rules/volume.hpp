// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/onnx/graph_node.hpp"

namespace troupe {

/// Way of a kernel or a window along one axis.
struct axis_window {
  std::int64_t size, stride = 1, dilation = 1, before = 0, behind = 0;

  std::int64_t reach() const { return dilation * (size - 1) + 1; }
  /// Returns how many places it takes on an axis of so many positions.
  std::int64_t places(std::int64_t positions) const {
    return (positions + before + behind - reach()) / stride + 1;
  }
  /// Returns the arguments of a slice: the elements that one element of the window meets.
  std::string part(std::int64_t element, std::int64_t positions) const;
};

/// Reads the attributes of a node with any number of axes; `kernel` is the size, if no attribute
/// says it.
std::vector<axis_window> windows_of(graph_node& n, const std::vector<std::int64_t>& kernel);

/// Write operators of volumes [n, channels, depth, height, width], as sums of those of images.
void convolve_volumes(graph_node& n);
void convolve_volumes_transposed(graph_node& n);
/// Writes pools of any number of axes, and with dilations, axis by axis.
void pool_by_axes(graph_node& n);

}  // namespace troupe
