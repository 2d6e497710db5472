// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

/// Vectors along an axis by their directions, and pairs of points by their distances. Of bool and
/// integers: float64.

namespace troupe {

/// x divided by its Euclidean length along an axis, or by `least` where that is shorter. PyTorch's.
tensor normalize(const tensor& x, int axis = -1, double least = 1e-12,
                 caller where = caller::current());
/// The cosine of the angle between vectors along an axis: their product divided by both lengths, of
/// which none counts less than `least`. The others broadcast. PyTorch's.
tensor cosine_similarity(const tensor& x, const tensor& y, int axis = -1, double least = 1e-8,
                         caller where = caller::current());
/// [..., n, m]: the distance of each of n points [..., n, d] from each of m points [..., m, d]: the
/// sum of its coordinates' distances to the power of `order`, to the power of 1 / `order`. Euclid's
/// for 2, the greatest for infinity. Exact for near points; needs memory for n m d numbers.
/// PyTorch's. Throws for points of different sizes and orders below 1.
tensor cdist(const tensor& x, const tensor& y, double order = 2, caller where = caller::current());

}  // namespace troupe
