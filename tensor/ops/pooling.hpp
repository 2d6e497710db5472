// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/devices/attributes.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/height_width.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The windows of a pool: `{2}`, or `{.size = 3, .stride = 2, .padding = 1}`.
struct pool2d_options {
  height_width size = {};
  height_width stride =
      height_width::absent();  ///< absent: `size`, so that windows lie side by side
  height_width padding = 0;    ///< on both sides, at most half of `size`
};

/// The greatest of each window of images [n, channels, h, w], NaN if there is one: [n, channels,
/// h', w'] where h' is (h + 2 padding - size) / stride + 1, rounded down. What pads is not there.
/// Of floats. Throws for other dtypes, and windows larger than the padded image. The gradient goes
/// to the first greatest of a window.
tensor max_pool2d(const tensor& x, const pool2d_options& options, caller where = caller::current());
/// The mean of each window; what pads counts as 0. Shapes and errors as for `max_pool2d`.
tensor avg_pool2d(const tensor& x, const pool2d_options& options, caller where = caller::current());

// Parts of the gradients of pools.

/// Zeros of the shape of `x`, but what `arriving`, of the shape of max_pool2d(x, options), brings
/// to the greatest element of each window.
tensor max_pool2d_gradient(const tensor& x, const tensor& arriving, const pool2d_options& options,
                           caller where = caller::current());
/// The elements of `y`, of the shape of `x`, where the greatest of each window of `x` is.
tensor max_pool2d_pick(const tensor& x, const tensor& y, const pool2d_options& options,
                       caller where = caller::current());
/// The share of each pixel in `arriving`, of the shape of avg_pool2d of images of that size.
tensor avg_pool2d_gradient(const tensor& arriving, const height_width& image,
                           const pool2d_options& options, caller where = caller::current());

namespace detail {
/// The shape of a pool of images. Throws, naming them, if its windows do not fit, as `max_pool2d`.
shape pooled_shape(std::string_view what, const tensor_type& images,
                   const pooling_attributes& given, caller where);
}  // namespace detail

extern const operation max_pool2d_operation, max_pool2d_gradient_operation,
    max_pool2d_pick_operation, avg_pool2d_operation, avg_pool2d_gradient_operation;

}  // namespace troupe
