// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/linalg/factors.hpp"
#include "troupe/tensor/linalg/gradients.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/systems.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::linalg::detail {

namespace {

/// Returns X R^-1' for an upper triangle R.
tensor divide_by_adjoint(const tensor& x, const tensor& r) {
  return adjoint(solve_triangular(r, adjoint(x), {.upper = true}));
}

/// Returns gA for A = Q R with as many rows as columns, or more: (gQ + Q M) R^-1', where M is
/// Hermitian and its lower triangle that of R gR' - gQ' Q, but for imaginary parts on its diagonal.
tensor tall_gradient(const tensor& q, const tensor& r, const tensor& of_q, const tensor& of_r) {
  const auto both = matmul(r, adjoint(triu(of_r))) - matmul(adjoint(of_q), q);
  const auto half = (tril(both) + tril(both, -1)) * 0.5;
  return divide_by_adjoint(of_q + matmul(q, half + adjoint(half)), r);
}

}  // namespace

// gA = L^-1' P L^-1, where P is the lower triangle of L' gL with half its diagonal. Both triangles
// of A get the mean of the two, so the gradient is symmetric.
tensor cholesky_gradient(const gradient_terms& t) {
  const auto& factor = t.result;
  const auto product = matmul(adjoint(factor), tril(conj(t.arriving)));
  const auto halved = (tril(product) + tril(product, -1)) * 0.5;
  constexpr triangular_options turned = {.transposed = true};
  const auto opposite = conj(factor);
  const auto left = solve_triangular(opposite, halved, turned);
  const auto whole = solve_triangular(opposite, adjoint(left), turned);
  return conj(whole + adjoint(whole)) * 0.5;
}

// For square A = P L U: gA = P L^-1' (the lower triangle of L' gL + the upper one of gU U') U^-1'.
tensor lu_gradient(const gradient_terms& t) {
  const auto& dims = t.types[0].dims;
  const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
  if (rows != columns)
    refuse_gradient("lu: the gradient is that of square matrices, not of " + to_string(t.types[0]));
  parts factors(t.result), arriving(t.arriving);
  const auto order = real(factors.take({rows}));
  arriving.take({rows});
  const auto both = transposed(factors.take({rows, rows}));
  const auto of_both = transposed(arriving.take({rows, rows}));
  const auto unit = eye(rows, {}, 0, {.dtype = both.dtype(), .device = both.device()});
  const auto lower = tril(both, -1) + unit, upper = triu(both);
  const auto inner = tril(matmul(transposed(lower), tril(of_both, -1)), -1) +
                     triu(matmul(triu(of_both), transposed(upper)));
  const auto left = solve_triangular(lower, inner, {.transposed = true, .unit_diagonal = true});
  const auto right = solve_triangular(upper, transposed(left), {.upper = true});
  return matmul(permutation_matrix(order, both.dtype()), transposed(right));
}

// A wide A is [X, Y], where X = Q R1 is square, and its R is [R1, Q' Y].
tensor qr_gradient(const gradient_terms& t) {
  const auto& dims = t.types[0].dims;
  const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
  if (t.attributes.as<linalg_attributes>().complete && rows > columns)
    refuse_gradient("qr: a complete Q has no gradient for more rows than columns: " +
                    to_string(t.types[0]));
  const auto steps = std::min(rows, columns);
  const auto given = conj(t.arriving);
  parts factors(t.result), arriving(given);
  const auto q = transposed(factors.take({steps, rows})), r = factors.take({steps, columns});
  const auto of_q = transposed(arriving.take({steps, rows}));
  const auto of_r = arriving.take({steps, columns});
  if (rows >= columns) return conj(tall_gradient(q, r, of_q, of_r));
  const auto behind = slice(t.inputs[0], -1, rows, {});
  const auto of_behind = slice(of_r, -1, rows, {});
  const auto of_square =
      tall_gradient(q, slice(r, -1, 0, rows), of_q + matmul(behind, adjoint(of_behind)),
                    slice(of_r, -1, 0, rows));
  return conj(concatenate({of_square, matmul(q, of_behind)}, -1));
}

}  // namespace troupe::linalg::detail
