// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The way of a kernel along each axis of a convolution. A list that is empty stands for the
/// default along every axis; others have a number for each.
struct conv_general_options {
  std::vector<std::int64_t> stride = {};
  /// Zeros before and behind; negative numbers cut off so many elements instead.
  std::vector<std::pair<std::int64_t, std::int64_t>> padding = {};
  /// From one element of the input to the next, with zeros between: 2 and more make the input
  /// longer, as transposed convolutions want it.
  std::vector<std::int64_t> input_dilation = {};
  std::vector<std::int64_t> kernel_dilation = {};  ///< from one element that is read to the next
  std::int64_t groups = 1;                         ///< of channels, with kernels of their own
};

/// The convolution along one, two or three axes, as `conv1d`, `conv2d` and `conv3d` compute it (the
/// kernel is not turned round): `x` is [n, channels, ...], `weight` [out, channels / groups, ...]
/// and the result [n, out, ...]. First zeros come between the elements, then around them; JAX's
/// conv_general_dilated has the same order. Dtypes and errors as for `conv2d`.
tensor conv_general(const tensor& x, const tensor& weight, const conv_general_options& options = {},
                    caller where = caller::current());

}  // namespace troupe
