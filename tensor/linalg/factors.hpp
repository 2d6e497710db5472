// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tensor/flag.hpp"
#include "troupe/tensor/tensor.hpp"

/// Matrices as products of simpler ones. systems.hpp says what all functions have in common.

namespace troupe::linalg {

/// The lower triangle L with L L' = x, for symmetric positive definite matrices; or, with `upper`,
/// the upper triangle U with U' U = x. Only that triangle of `x` is read, and both get the same
/// gradient. Fails where a matrix is not positive definite.
tensor cholesky(const tensor& x, flag upper = false, caller where = caller::current());

/// x = p l u. For matrices [..., m, n], with k the lesser of both:
struct lu_result {
  tensor p;  ///< the permutation of rows, as matrices of the dtype of `x`; [..., m, m]
  tensor l;  ///< lower triangles with ones on the diagonal; [..., m, k]
  tensor u;  ///< upper triangles; [..., k, n]

  std::vector<tensor> all() const { return {p, l, u}; }
};

/// The LU factors with partial pivoting. Square matrices have a gradient.
lu_result lu(const tensor& x, caller where = caller::current());

/// x = q r. For matrices [..., m, n], with k the lesser of both, or m if the factors are complete:
struct qr_result {
  tensor q;  ///< orthonormal columns; [..., m, k]
  tensor r;  ///< upper triangles; [..., k, n]

  std::vector<tensor> all() const { return {q, r}; }
};

/// The QR factors by Householder's reflections; the diagonal of `r` may be negative. Complete ones
/// have no gradient if there are more rows than columns.
qr_result qr(const tensor& x, flag complete = false, caller where = caller::current());

}  // namespace troupe::linalg
