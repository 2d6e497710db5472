// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "troupe/onnx/graph_node.hpp"

namespace troupe {

/// The way of a kernel or a window over an image, height and width. That of a signal with one axis
/// is that of images of height 1.
struct window {
  using pair = std::array<std::int64_t, 2>;

  pair size, stride = {1, 1}, dilation = {1, 1}, before = {0, 0}, behind = {0, 0};
  bool one_axis;     ///< a signal
  bool rounds_up;    ///< attribute ceil_mode
  std::string fits;  ///< attribute auto_pad, if it decides about the padding: "SAME_UPPER", ...

  /// Reads the attributes of a node; `kernel` is the size, if no attribute says it.
  window(graph_node& n, int rank, const std::vector<std::int64_t>& kernel);

  /// Elements that the kernel reaches over.
  std::int64_t reach(int axis) const { return dilation[axis] * (size[axis] - 1) + 1; }
  /// Decides about the padding for images of a size, as `fits` and `rounds_up` say.
  void fit(graph_node& n, const pair& image);
  bool symmetric() const { return before == behind; }

  /// Returns the sizes of an image or a signal [n, channels, ...].
  static pair image_of(const shape& dims);
  /// Returns the expression as one of images, and back.
  std::string lifted(const std::string& x) const;
  std::string lowered(const std::string& x) const;
};

std::string text_of(const window::pair& numbers);

}  // namespace troupe
