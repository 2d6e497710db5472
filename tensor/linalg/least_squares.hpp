// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "troupe/tensor/tensor.hpp"

/// Functions of singular values; systems.hpp says what all functions have in common. Singular
/// values below `rtol` times the greatest of their matrix count as 0; without `rtol`, that is the
/// greater size of the matrix times the distance from 1 to the next number of its dtype, as in the
/// array API.

namespace troupe::linalg {

/// The number of singular values of each matrix that do not count as 0: int64[...] for [..., m, n].
tensor matrix_rank(const tensor& x, std::optional<double> rtol = {},
                   caller where = caller::current());

/// The pseudo-inverse of Moore and Penrose: [..., n, m] for [..., m, n]. Its gradient takes the
/// singular values that count as 0 for zeros that remain.
tensor pinv(const tensor& x, std::optional<double> rtol = {}, caller where = caller::current());

/// The least squares solution of a x = b. For `a` [..., m, n] and `b` [m] or [..., m, k]:
struct lstsq_result {
  tensor x;                ///< the shortest of the best solutions; [n] or [..., n, k]
  tensor residuals;        ///< the sums of squares of a x - b for m > n; [1] or [..., k], else none
  tensor rank;             ///< of `a`; int64[...]
  tensor singular_values;  ///< of `a`; [..., the lesser of m and n]

  std::vector<tensor> all() const { return {x, residuals, rank, singular_values}; }
};

/// Minimises the length of a x - b by the singular value decomposition. Batch axes broadcast.
/// Throws for sizes that differ.
lstsq_result lstsq(const tensor& a, const tensor& b, std::optional<double> rtol = {},
                   caller where = caller::current());

}  // namespace troupe::linalg
