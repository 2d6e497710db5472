// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "troupe/devices/array.hpp"
#include "troupe/devices/attributes.hpp"

namespace troupe::cuda {

/// Movement of a kernel along one axis: for output o, tap t reads input `o * stride - padding + t *
/// dilation`.
struct tap_axis {
  std::int64_t inputs, outputs, taps, stride, padding, dilation;
  /// Distance between consecutive taps that see one input, and distance back between their outputs.
  std::int64_t tap_step, output_step;
};

/// Some images of a convolution, and some channels of some of its groups.
struct convolution_piece {
  std::int64_t image, images;
  std::int64_t group, groups;
  std::int64_t channel, channels;  ///< in each of the groups
};

/// Sizes of a convolution, and its division into pieces whose columns keep scratch memory to a
/// reasonable size. It depends on the shapes alone.
class convolution_plan {
 public:
  std::int64_t images, groups;
  std::int64_t channels, features;  ///< of one group
  tap_axis down, along;

  convolution_plan(const convolution_attributes& given, const array& images_like,
                   const array& weights_like, const array& results_like) noexcept;

  /// Returns true if a kernel sees one pixel, and all kernels together each pixel once: the columns
  /// are the images themselves.
  bool pixel_by_pixel() const noexcept;
  /// Joins all pieces into one, where columns take no memory.
  void join() noexcept { largest_ = {0, images, 0, groups, 0, channels}; }

  std::int64_t taps() const noexcept { return down.taps * along.taps; }
  std::int64_t places() const noexcept { return down.outputs * along.outputs; }
  std::int64_t pixels() const noexcept { return down.inputs * along.inputs; }

  /// Returns a piece as large as any.
  const convolution_piece& largest() const noexcept { return largest_; }
  /// Returns the number of elements in the columns of a piece.
  std::int64_t column_elements(const convolution_piece& p) const noexcept {
    return p.images * p.groups * p.channels * taps() * places();
  }

  /// Calls f(piece) for all pieces, image by image.
  template <class F>
  void for_each_piece(F&& f) const {
    const auto& most = largest_;
    for (std::int64_t i = 0; i < images; i += most.images) {
      for (std::int64_t g = 0; g < groups; g += most.groups) {
        for (std::int64_t c = 0; c < channels; c += most.channels)
          f(convolution_piece{i, std::min(most.images, images - i), g,
                              std::min(most.groups, groups - g), c,
                              std::min(most.channels, channels - c)});
      }
    }
  }

 private:
  convolution_piece largest_;
};

}  // namespace troupe::cuda
