// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/ops/height_width.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Images [..., h, w] as means of windows that share them out evenly among h' x w' pixels: row i'
/// is the mean of the rows from i' h / h', rounded down, to (i' + 1) h / h', rounded up, and
/// columns likewise. As PyTorch's adaptive_avg_pool2d; `adaptive_avg_pool2d(x, 1)` is the mean of
/// each image. Of bool and integers: float64. Gradients flow. Throws for fewer than two axes, empty
/// images and sizes below 1.
tensor adaptive_avg_pool2d(const tensor& x, height_width size, caller where = caller::current());

}  // namespace troupe
