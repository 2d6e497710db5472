// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"

/// Gradients of linear algebra, in tensor algebra, so that they have gradients themselves. `A'` is
/// A transposed, and gX the gradient that arrives for a result X. A gradient of complex numbers is
/// that by the number. Where a result is made of conjugates, too, as factors of Hermitian matrices
/// and unitary ones are, A' is conjugate, and the function computes with conjugate gradients.
///
/// Sources: M. B. Giles, Collected matrix derivative results for forward and reverse mode
/// algorithmic differentiation (2008); I. Murray, Differentiation of the Cholesky decomposition
/// (2016); S. F. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions
/// (2010); J. Townsend, Differentiating the singular value decomposition (2016).

namespace troupe::linalg::detail {

tensor cholesky_gradient(const gradient_terms& t);
tensor lu_gradient(const gradient_terms& t);
tensor qr_gradient(const gradient_terms& t);

/// Returns the gradient of the right-hand side, which that of the matrix is computed from.
tensor solve_arriving(const gradient_terms& t);
tensor solve_matrix_gradient(const gradient_terms& t);
tensor solve_side_gradient(const gradient_terms& t);
tensor triangular_arriving(const gradient_terms& t);
tensor triangular_matrix_gradient(const gradient_terms& t);

tensor inv_gradient(const gradient_terms& t);
tensor det_gradient(const gradient_terms& t);
tensor slogdet_gradient(const gradient_terms& t);
tensor expm_gradient(const gradient_terms& t);

tensor svd_gradient(const gradient_terms& t);
tensor svdvals_gradient(const gradient_terms& t);
tensor eigh_gradient(const gradient_terms& t);
tensor eigvalsh_gradient(const gradient_terms& t);
tensor eig_gradient(const gradient_terms& t);
tensor eigvals_gradient(const gradient_terms& t);

}  // namespace troupe::linalg::detail
