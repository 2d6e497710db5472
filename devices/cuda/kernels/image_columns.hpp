// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/convolution_plan.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

// Windows of a convolution's images as the columns of a matrix, and back.

namespace troupe::cuda {

/// Steps of an operand along the five axes of images that threads traverse: image, group, channel,
/// row, column.
struct image_steps {
  std::int64_t strides[5];
};

/// Returns a mapping from element numbers of images of this shape to the offsets with these steps.
inline offsets<4> image_offsets(const image_steps& shape, const image_steps (&steps)[4]) noexcept {
  array operands[4];
  for (int i = 0; i < 4; ++i) operands[i] = {nullptr, float32, 5, shape.strides, steps[i].strides};
  return offsets<4>(merge_axes(operands));
}

/// Writes, for one position of the kernel on one channel, the inputs of all taps, each to its own
/// row; zeros for missing inputs.
template <class T>
struct copy_taps {
  const T* images;
  T* columns;
  tap_axis down, along;
  std::int64_t row_stride, column_stride;  ///< of the images
  std::int64_t tap_stride;                 ///< of the columns
  offsets<4> positions;  ///< of the channel's image, of the first tap's row and column without
                         ///< padding, and of its column

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[4];
    positions.at(i, place);
    const T* const image = images + place[0];
    T* to = columns + place[3];
    for (std::int64_t k = 0; k < down.taps; ++k) {
      const auto y = place[1] - down.padding + k * down.dilation;
      const bool inside = y >= 0 && y < down.inputs;
      auto x = place[2] - along.padding;
      for (std::int64_t l = 0; l < along.taps; ++l, x += along.dilation, to += tap_stride)
        *to =
            inside && x >= 0 && x < along.inputs ? image[y * row_stride + x * column_stride] : T(0);
    }
  }
};

/// Sums, for one element of the images, its entries in the columns.
template <class T>
struct sum_taps {
  const T* columns;
  T* images;
  tap_axis down, along;
  std::int64_t tap_stride;
  /// Of the image's element, of its row and column, and of its channel in the columns.
  offsets<4> positions;

  /// First tap that sees an input, and the output for which it does.
  struct sight {
    std::int64_t tap, output;
  };

  static TROUPE_BOTH sight first_sight(const tap_axis& axis, std::int64_t input) {
    const auto place = input + axis.padding;
    if (axis.stride == 1) return {0, place};
    for (std::int64_t tap = 0; tap < axis.tap_step && tap < axis.taps; ++tap) {
      if (const auto ahead = place - tap * axis.dilation; ahead % axis.stride == 0)
        return {tap, ahead / axis.stride};
    }
    return {axis.taps, 0};
  }

  TROUPE_BOTH void operator()(std::int64_t i) const {
    std::int64_t place[4];
    positions.at(i, place);
    const T* const channel = columns + place[3];
    const sight first_row = first_sight(down, place[1]), first = first_sight(along, place[2]);
    T all = 0;
    auto y = first_row.output;
    for (auto k = first_row.tap; k < down.taps; k += down.tap_step, y -= down.output_step) {
      if (y < 0 || y >= down.outputs) continue;
      auto x = first.output;
      for (auto l = first.tap; l < along.taps; l += along.tap_step, x -= along.output_step) {
        if (x >= 0 && x < along.outputs)
          all += channel[(k * along.taps + l) * tap_stride + y * along.outputs + x];
      }
    }
    images[place[0]] = all;
  }
};

}  // namespace troupe::cuda
