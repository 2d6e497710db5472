// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/devices/array.hpp"
#include "troupe/devices/layout/share.hpp"

namespace troupe::cpu_kernels {

/// The windows along one axis: tap t of output number i reads input number stride * i +
/// taps[t].shift, which is a zero where there is no such input.
struct window_axis {
  struct tap {
    std::int64_t shift;
    std::int64_t index;  ///< in the kernel
  };

  std::int64_t inputs, outputs, stride;
  std::vector<tap> taps;
};

/// The way a kernel is laid over an axis.
struct window_steps {
  std::int64_t size, stride, padding, dilation;
};

/// The windows that a convolution looks through.
window_axis sliding_windows(std::int64_t inputs, std::int64_t outputs, const window_steps& kernel);

/// The windows through which some inputs of a convolution see its outputs: those number `phase`,
/// phase + stride, ... What is read are the convolution's outputs.
window_axis transposed_windows(std::int64_t inputs, std::int64_t outputs,
                               const window_steps& kernel, std::int64_t phase);

/// A part of the outputs of windows: some images, or some rows of one, or some columns of one row.
struct window_band {
  std::int64_t image, images;
  std::int64_t row, rows;
  std::int64_t column, columns;

  std::int64_t outputs() const noexcept { return rows * columns; }
};

/// The elements that windows read, copied so that the inputs of a tap for all outputs of a band lie
/// side by side in the outputs' order. There is a plane for each channel and tap along the rows. It
/// has the input's rows, as wide as the band, those first that are a multiple of the stride from
/// each other: so the taps down the columns read the same plane, each from an offset of its own.
class window_strips {
 public:
  window_strips(window_axis down, window_axis along);

  const window_axis& down() const noexcept { return down_; }
  const window_axis& along() const noexcept { return along_; }

  /// Elements of a plane for so many rows and columns of outputs.
  std::int64_t plane_size(std::int64_t rows, std::int64_t columns) const noexcept {
    return static_cast<std::int64_t>(phases_.size()) * (rows + span_) * columns;
  }
  /// Rows that a plane has beyond those of the outputs, for each phase.
  std::int64_t span() const noexcept { return span_; }

  /// Elements of the input that a plane is copied from.
  std::int64_t patch_size(std::int64_t rows, std::int64_t columns) const noexcept {
    return patch_rows(rows) * patch_columns(columns);
  }

  /// Copies a group's planes [planes.begin, planes.end) of a band of images [n, channels, h, w],
  /// image by image, and says where each tap of each plane starts in the first one. `channel` is
  /// the group's first; there is room for a patch.
  template <class T>
  void copy(T* to, std::int64_t* offsets, T* patch, const array& images, std::int64_t channel,
            const share& planes, const window_band& band) const;

 private:
  struct place {
    std::int64_t phase;  ///< the number of one of `phases_`
    std::int64_t row;    ///< among the rows of that phase
  };

  std::int64_t patch_rows(std::int64_t rows) const noexcept {
    return down_.stride * (rows + span_ - 1) + last_phase_ + 1;
  }
  std::int64_t patch_columns(std::int64_t columns) const noexcept {
    return along_.stride * (columns - 1) + last_shift_ - first_shift_ + 1;
  }
  template <class T>
  void copy_planes(T* to, const T* patch, std::int64_t row_step, std::int64_t first,
                   std::int64_t count, const window_band& band) const;

  window_axis down_, along_;
  std::vector<std::int64_t> phases_;  // of the input's rows, modulo the stride, that are read
  std::vector<place> places_;         // of the taps down the columns
  std::int64_t first_ = 0;            // the first row of a phase, for output row 0
  std::int64_t span_ = 0;
  std::int64_t last_phase_ = 0;
  std::int64_t first_shift_ = 0, last_shift_ = 0;  // along the rows
};

}  // namespace troupe::cpu_kernels
