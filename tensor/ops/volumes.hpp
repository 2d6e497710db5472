// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>

#include "troupe/tensor/tensor.hpp"

/// Convolutions and pools of volumes, made of those of images: gradients flow, and they run
/// wherever those do.

namespace troupe {

/// A number for each axis of a volume, or one for all: `{1, 2, 2}`, `2`.
struct depth_height_width {
  std::array<std::int64_t, 3> axes{};

  constexpr depth_height_width() noexcept = default;
  constexpr depth_height_width(std::int64_t all) noexcept : axes{all, all, all} {}
  constexpr depth_height_width(std::int64_t d, std::int64_t h, std::int64_t w) noexcept
      : axes{d, h, w} {}

  constexpr std::int64_t operator[](std::size_t i) const noexcept { return axes[i]; }
};

/// The way of a kernel through a volume: `{.stride = 2, .padding = {1, 0, 0}}`.
struct conv3d_options {
  depth_height_width stride = 1;
  depth_height_width padding = 0;   ///< zeros on both sides
  depth_height_width dilation = 1;  ///< from one element that the kernel reads to the next
  std::int64_t groups = 1;          ///< of channels, each with kernels of its own
};

/// The convolution of volumes, as PyTorch has it: `x` is [n, channels, d, h, w], `weight` [out,
/// channels / groups, kernel d, kernel h, kernel w], and the result [n, out, d', h', w'], with
/// sizes as those of `conv2d`. It gathers the slices that a kernel reads, which takes kernel d
/// times the memory of `x`, and convolves them as images. Dtypes and errors as for `conv2d`.
tensor conv3d(const tensor& x, const tensor& weight, const conv3d_options& options = {},
              caller where = caller::current());

namespace detail {

tensor conv3d_with_bias(const tensor& x, const tensor& weight, const tensor& bias,
                        const conv3d_options& options, caller where);

}  // namespace detail

/// The same with `bias`, [out], added to each element of an output channel.
template <std::convertible_to<const tensor&> Bias>
tensor conv3d(const tensor& x, const tensor& weight, const Bias& bias,
              const conv3d_options& options = {}, caller where = caller::current()) {
  return detail::conv3d_with_bias(x, weight, bias, options, where);
}

/// The windows of a pool: `{2}`, or `{.size = 3, .stride = 2, .padding = 1}`.
struct pool3d_options {
  depth_height_width size = 0;
  depth_height_width stride = 0;   ///< 0: `size`, so that windows lie side by side
  depth_height_width padding = 0;  ///< on both sides, at most half of `size`
};

/// The greatest of each window of volumes [n, channels, d, h, w], NaN if there is one. What pads is
/// not there. The gradient goes to the first greatest of a window. Errors as for `max_pool2d`.
tensor max_pool3d(const tensor& x, const pool3d_options& options, caller where = caller::current());
/// The mean of each window; what pads counts as 0.
tensor avg_pool3d(const tensor& x, const pool3d_options& options, caller where = caller::current());

}  // namespace troupe
