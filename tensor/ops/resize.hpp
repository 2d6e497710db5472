// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tensor/ops/height_width.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Images [..., h, w] of another size: "nearest", the pixel that the new one begins in, or
/// "bilinear", between the four pixels around the new one's middle, which gives floats and, of bool
/// and integers, float64. As PyTorch's interpolate (corners are not aligned; smaller images take
/// few pixels each). Gradients flow. Throws for fewer than two axes, empty images and sizes below
/// 1, and other modes.
tensor resize2d(const tensor& x, height_width size, std::string_view mode = "bilinear",
                caller where = caller::current());

}  // namespace troupe
