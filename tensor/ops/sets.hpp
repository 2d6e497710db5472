// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tensor/tensor.hpp"

/// The different elements, and their places. Complex numbers are in the order of their real parts,
/// then of their imaginary ones. The shapes of `nonzero` and of the `unique` functions
/// depend on the elements: these wait for their input.

namespace troupe {

/// int64: for each axis the positions of the elements that differ from 0, in row-major order. NaN
/// does. Waits for `x`. Throws for no axes.
std::vector<tensor> nonzero(const tensor& x, caller where = caller::current());

/// The different elements, as a vector in order. Equal are 0 and -0, and all that are or have NaN.
/// Waits for `x`.
tensor unique(const tensor& x, caller where = caller::current());

struct unique_counts_result {
  tensor values;
  tensor counts;  ///< int64: how many elements are equal to each
};
unique_counts_result unique_counts(const tensor& x, caller where = caller::current());

struct unique_inverse_result {
  tensor values;
  tensor inverse_indices;  ///< int64: where each element is among the values; the shape of `x`
};
unique_inverse_result unique_inverse(const tensor& x, caller where = caller::current());

struct unique_all_result {
  tensor values;
  tensor indices;  ///< int64: the first place of each value, in row-major order
  tensor inverse_indices;
  tensor counts;
};
unique_all_result unique_all(const tensor& x, caller where = caller::current());

/// bool: for each element of `x` whether it is among the elements of `values`. Dtypes are promoted;
/// NaN is among nothing. Never waits.
tensor isin(const tensor& x, const tensor& values, caller where = caller::current());

/// The different elements of either, of both, and of the first alone, as vectors in order. Dtypes
/// are promoted, but for that of `setdiff1d`. NaN is not in both. They wait for their inputs.
tensor union1d(const tensor& x, const tensor& y, caller where = caller::current());
tensor intersect1d(const tensor& x, const tensor& y, caller where = caller::current());
tensor setdiff1d(const tensor& x, const tensor& y, caller where = caller::current());

}  // namespace troupe
