// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include "troupe/tensor/tensor.hpp"

/// Elements counted. Numbers of elements have no gradients; sums of weights have those of the
/// weights.

namespace troupe {

struct histogram_result {
  tensor counts;  ///< int64[bins]
  /// [bins + 1], in the dtype of `x`; of narrow floats float32, of bool and integers float64.
  tensor edges;
};
/// The numbers of elements in bins of equal width, from the least to the greatest element or within
/// a range. A bin has its lower edge, the last one its upper one too. What is
/// outside, and NaN, is not counted; where NaN or infinity spoils the edges, nothing is. Never
/// waits. Throws for no bins and for 2^48 or more, and for a range that is not finite or not
/// ascending.
histogram_result histogram(const tensor& x, std::int64_t bins = 10,
                           std::optional<std::pair<double, double>> range = {},
                           caller where = caller::current());
/// The same between given edges, a vector in ascending order of two numbers or more: where they are
/// not in order, the numbers say nothing. Edges of narrow floats come as float32, of bool and
/// integers as float64. Throws for what is no such vector, and for one on another device.
histogram_result histogram(const tensor& x, const tensor& edges, caller where = caller::current());

/// int64: how many elements of a vector of integers are 0, 1, ..., at least `least` numbers; or, as
/// float64, the sums of the weights of these elements. Waits for `x`, whose greatest element says
/// how many come out. Throws for a negative one, for 2^48 and more, and unless there is a weight
/// for each element.
tensor bincount(const tensor& x, const tensor& weights = {}, std::int64_t least = 0,
                caller where = caller::current());

}  // namespace troupe
