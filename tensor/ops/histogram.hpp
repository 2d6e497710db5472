// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include "troupe/tensor/tensor.hpp"

/// Elements counted. They have no gradients.

namespace troupe {

struct histogram_result {
  tensor counts;  ///< int64[bins]
  tensor edges;   ///< [bins + 1], in the dtype of `x`; of bool and integers float64
};
/// The numbers of elements in bins of equal width, from the least to the greatest element or within
/// a range. A bin has its lower edge, the last one its upper one too. What is
/// outside, and NaN, is not counted; where NaN or infinity spoils the edges, nothing is. Never
/// waits. Throws for no bins, and for a range that is not finite or not ascending.
histogram_result histogram(const tensor& x, std::int64_t bins = 10,
                           std::optional<std::pair<double, double>> range = {},
                           caller where = caller::current());

/// int64: how many elements of a vector of integers are 0, 1, ..., at least `least` numbers; or, as
/// float64, the sums of the weights of these elements. Waits for `x`, whose greatest element says
/// how many come out. Throws for a negative one, and unless there is a weight for each element.
tensor bincount(const tensor& x, const tensor& weights = {}, std::int64_t least = 0,
                caller where = caller::current());

}  // namespace troupe
