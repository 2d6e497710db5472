// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/tensor/flag.hpp"
#include "troupe/tensor/tensor.hpp"

/// Singular values and eigenvalues. systems.hpp says what all functions have in common. A matrix
/// with numbers that are not finite fails.

namespace troupe::linalg {

/// x = u diag(s) vh. For matrices [..., m, n], with k the lesser of both:
struct svd_result {
  tensor u;   ///< orthonormal columns; [..., m, k], or [..., m, m] with `full_matrices`
  tensor s;   ///< the singular values, the greatest first; [..., k]
  tensor vh;  ///< orthonormal rows; [..., k, n], or [..., n, n] with `full_matrices`

  std::vector<tensor> all() const { return {u, s, vh}; }
};

/// The singular value decomposition, by divide and conquer; `full_matrices` are square, as in
/// NumPy. The signs of vectors that belong together, of complex ones their angles, are arbitrary.
/// The gradient is defined where the singular values differ and, with `full_matrices`, for square
/// matrices.
svd_result svd(const tensor& x, flag full_matrices = true, caller where = caller::current());
/// The singular values alone, the greatest first; [..., k] for [..., m, n].
tensor svdvals(const tensor& x, caller where = caller::current());

/// x v = v diag(w). For matrices [..., n, n]:
struct eigh_result {
  tensor eigenvalues;   ///< w, the least first; [..., n]
  tensor eigenvectors;  ///< v, orthonormal columns; [..., n, n]

  std::vector<tensor> all() const { return {eigenvalues, eigenvectors}; }
};

/// The eigenvalues, which are real, and eigenvectors of symmetric or Hermitian matrices. Only the
/// lower triangle is read; both get the same gradient, conjugate in the upper one, which is defined
/// where the eigenvalues differ.
eigh_result eigh(const tensor& x, caller where = caller::current());
/// The eigenvalues alone, the least first; [..., n] for [..., n, n].
tensor eigvalsh(const tensor& x, caller where = caller::current());

/// x v = v diag(w), in complex numbers, also of real matrices [..., n, n]:
struct eig_result {
  tensor eigenvalues;   ///< w, in no particular order; [..., n]
  tensor eigenvectors;  ///< v, columns of length 1; [..., n, n]

  std::vector<tensor> all() const { return {eigenvalues, eigenvectors}; }
};

/// The eigenvalues and eigenvectors of any square matrices. The gradient is defined where the
/// eigenvalues differ, for functions that do not depend on the angles of the vectors, which are
/// arbitrary.
eig_result eig(const tensor& x, caller where = caller::current());
/// The eigenvalues alone; [..., n] for [..., n, n].
tensor eigvals(const tensor& x, caller where = caller::current());

}  // namespace troupe::linalg
