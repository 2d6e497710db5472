// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/height_width.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The way of a kernel over an image: `{.stride = 2, .padding = {1, 0}}`.
struct conv2d_options {
  height_width stride = 1;
  height_width padding = 0;   ///< zeros on both sides
  height_width dilation = 1;  ///< from one element that the kernel reads to the next
  std::int64_t groups = 1;    ///< of channels, each with kernels of its own
};

/// The convolution of images, as PyTorch has it (the kernel is not turned round): `x` is [n,
/// channels, h, w], `weight` [out, channels / groups, kernel h, kernel w], and the result [n, out,
/// h', w'] where h' is (h + 2 padding - dilation (kernel h - 1) - 1) / stride + 1, rounded down. Of
/// floats; of different ones the one that they promote to. Throws for other dtypes, channels that
/// do not fit, and a kernel larger than the padded image.
tensor conv2d(const tensor& x, const tensor& weight, const conv2d_options& options = {},
              caller where = caller::current());
namespace detail {

tensor conv2d_with_bias(const tensor& x, const tensor& weight, const tensor& bias,
                        const conv2d_options& options, caller where);

}  // namespace detail

/// The same with `bias`, [out], added to each image of an output channel. (A template, for
/// `{.stride = 2}` is no bias.)
template <std::convertible_to<const tensor&> Bias>
tensor conv2d(const tensor& x, const tensor& weight, const Bias& bias,
              const conv2d_options& options = {}, caller where = caller::current()) {
  return detail::conv2d_with_bias(x, weight, bias, options, where);
}

/// The gradient of `conv2d` with respect to images of `size`, or the transposed convolution: each
/// element of `arriving`, [n, out, h', w'], times the kernels, added up where these lay. Throws
/// where `conv2d` does, and if `arriving` is not of the shape that it gives for images of this
/// size.
tensor conv2d_input_gradient(const tensor& arriving, const tensor& weight, const height_width& size,
                             const conv2d_options& options = {}, caller where = caller::current());
/// The gradient of `conv2d` with respect to kernels of `size`. Throws in the same cases.
tensor conv2d_weight_gradient(const tensor& x, const tensor& arriving, const height_width& size,
                              const conv2d_options& options = {}, caller where = caller::current());

extern const operation conv2d_operation, conv2d_input_gradient_operation,
    conv2d_weight_gradient_operation;

}  // namespace troupe
