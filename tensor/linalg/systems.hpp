// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tensor/tensor.hpp"

/// Systems of linear equations and determinants. All functions of this namespace take matrices in
/// the last two axes, of float32, float64 or complex numbers; the axes before them are a batch,
/// whose matrices are computed at the same time. Integers and bool become float64, narrow floats
/// are computed in float32. They run on CPUs, by LAPACK, and on GPUs by cuSOLVER, one matrix after
/// the other; only `eig`, `eigvals`, `expm` and complex numbers do not. What cannot be computed,
/// such as the inverse of a singular matrix, is a failed value.

namespace troupe::linalg {

/// The solution x of a x = b for square `a` [..., n, n]. `b` is one vector [n] or matrices [..., n,
/// k]; the axes before broadcast. The result is [..., n] for a vector, else [..., n, k]. Throws for
/// sizes that differ; fails where `a` is singular.
tensor solve(const tensor& a, const tensor& b, caller where = caller::current());

/// The triangle that `solve_triangular` takes `a` for.
struct triangular_options {
  bool upper = false;          ///< the upper triangle and not the lower one; the other is not read
  bool transposed = false;     ///< a' x = b is solved
  bool unit_diagonal = false;  ///< the diagonal is ones and not read
};

/// The same where `a` is a triangle. Fails where there is a 0 on its diagonal.
tensor solve_triangular(const tensor& a, const tensor& b, const triangular_options& options = {},
                        caller where = caller::current());

/// The inverse of square matrices. To multiply by it, `solve` is faster and more exact. Fails where
/// one is singular.
tensor inv(const tensor& x, caller where = caller::current());

/// The determinants of square matrices, from their LU factors: [...] for [..., n, n], 0 for a
/// singular one.
tensor det(const tensor& x, caller where = caller::current());

/// The determinant is sign * exp(logabsdet).
struct slogdet_result {
  tensor sign;       ///< -1, 0 or 1, of complex numbers any of length 1; [...]
  tensor logabsdet;  ///< -inf where the sign is 0; [...]

  std::vector<tensor> all() const { return {sign, logabsdet}; }
};

/// The determinants of square matrices where they are too large or too small for a number.
slogdet_result slogdet(const tensor& x, caller where = caller::current());

}  // namespace troupe::linalg
