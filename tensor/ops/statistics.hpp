// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/tensor.hpp"

/// Weighted means, and how variables vary together. Of bool and integers: float64. Gradients flow.

namespace troupe {

/// sum(weights * x) / sum(weights): the mean to which each element counts as much as it weighs.
/// Weights have the shape of `x`, or are a vector along the axis. Where their sum is 0, it is NaN
/// or infinite. Throws for other weights.
tensor average(const tensor& x, const tensor& weights, optional_axis axis = {}, flag keep = false,
               caller where = caller::current());

/// The covariances of variables, which are the rows of a matrix; its columns are observations. A
/// vector is one variable, and its variance a scalar. Sums of products of distances from the means
/// are divided by the number of observations less `ddof`: NaN if that is 0. Of complex numbers with
/// the conjugates of the second variable. Throws for more axes than two, and for none.
tensor cov(const tensor& x, int ddof = 1, caller where = caller::current());

/// Pearson's correlations of such variables: their covariances divided by their standard
/// deviations, NaN where one is 0.
tensor corrcoef(const tensor& x, caller where = caller::current());

}  // namespace troupe
