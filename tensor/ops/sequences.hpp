// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "troupe/tensor/tensor.hpp"

/// Convolutions and pools along one axis, made of those of images: gradients flow, and they run
/// wherever those do.

namespace troupe {

/// The way of a kernel over a sequence.
struct conv1d_options {
  std::int64_t stride = 1;
  std::int64_t padding = 0;   ///< zeros on both sides
  std::int64_t dilation = 1;  ///< from one element that the kernel reads to the next
  std::int64_t groups = 1;    ///< of channels, each with kernels of its own
};

/// The convolution of sequences, as PyTorch has it: `x` is [n, channels, length], `weight` [out,
/// channels / groups, kernel], and the result [n, out, length'] where length' is (length + 2
/// padding - dilation (kernel - 1) - 1) / stride + 1, rounded down. Dtypes and errors as for
/// `conv2d`.
tensor conv1d(const tensor& x, const tensor& weight, const conv1d_options& options = {},
              caller where = caller::current());

namespace detail {

tensor conv1d_with_bias(const tensor& x, const tensor& weight, const tensor& bias,
                        const conv1d_options& options, caller where);

}  // namespace detail

/// The same with `bias`, [out], added to each element of an output channel.
template <std::convertible_to<const tensor&> Bias>
tensor conv1d(const tensor& x, const tensor& weight, const Bias& bias,
              const conv1d_options& options = {}, caller where = caller::current()) {
  return detail::conv1d_with_bias(x, weight, bias, options, where);
}

/// The windows of a pool: `{2}`, or `{.size = 3, .stride = 2, .padding = 1}`.
struct pool1d_options {
  std::int64_t size = 0;
  std::int64_t stride = 0;   ///< 0: `size`, so that windows lie side by side
  std::int64_t padding = 0;  ///< on both sides, at most half of `size`
};

/// The greatest of each window of sequences [n, channels, length], NaN if there is one. What pads
/// is not there. The gradient goes to the first greatest of a window. Errors as for `max_pool2d`.
tensor max_pool1d(const tensor& x, const pool1d_options& options, caller where = caller::current());
/// The mean of each window; what pads counts as 0.
tensor avg_pool1d(const tensor& x, const pool1d_options& options, caller where = caller::current());

}  // namespace troupe
