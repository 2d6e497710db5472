// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/linalg/factors.hpp"
#include "troupe/tensor/linalg/gradients.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/systems.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::linalg::detail {

namespace {

/// Returns X R^-1' for an upper triangle R.
tensor divide_by_transposed(const tensor& x, const tensor& r) {
  return transposed(solve_triangular(r, transposed(x), {.upper = true}));
}

/// Returns gA for A = Q R with as many rows as columns, or more: (gQ + Q M) R^-1', where M is
/// symmetric and its lower triangle that of R gR' - gQ' Q.
tensor tall_gradient(const tensor& q, const tensor& r, const tensor& of_q, const tensor& of_r) {
  const auto both = matmul(r, transposed(triu(of_r))) - matmul(transposed(of_q), q);
  const auto symmetric = tril(both) + transposed(tril(both, -1));
  return divide_by_transposed(of_q + matmul(q, symmetric), r);
}

}  // namespace

// gA = L^-1' P L^-1, where P is the lower triangle of L' gL with half its diagonal. Both triangles
// of A get the mean of the two, so the gradient is symmetric.
tensor cholesky_gradient(const gradient_terms& t) {
  const auto& factor = t.result;
  const auto product = matmul(transposed(factor), tril(t.arriving));
  const auto halved = (tril(product) + tril(product, -1)) * 0.5;
  constexpr triangular_options turned = {.transposed = true};
  const auto left = solve_triangular(factor, halved, turned);
  const auto whole = solve_triangular(factor, transposed(left), turned);
  return (whole + transposed(whole)) * 0.5;
}

// For square A = P L U: gA = P L^-1' (the lower triangle of L' gL + the upper one of gU U') U^-1'.
tensor lu_gradient(const gradient_terms& t) {
  const auto& dims = t.types[0].dims;
  const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
  if (rows != columns)
    refuse_gradient("lu: the gradient is that of square matrices, not of " + to_string(t.types[0]));
  parts factors(t.result), arriving(t.arriving);
  const auto order = factors.take({rows});
  arriving.take({rows});
  const auto both = transposed(factors.take({rows, rows}));
  const auto of_both = transposed(arriving.take({rows, rows}));
  const auto unit = eye(rows, {}, 0, {.dtype = both.dtype(), .device = both.device()});
  const auto lower = tril(both, -1) + unit, upper = triu(both);
  const auto inner = tril(matmul(transposed(lower), tril(of_both, -1)), -1) +
                     triu(matmul(triu(of_both), transposed(upper)));
  const auto left = solve_triangular(lower, inner, {.transposed = true, .unit_diagonal = true});
  return matmul(permutation_matrix(order, both.dtype()), divide_by_transposed(left, upper));
}

// A wide A is [X, Y], where X = Q R1 is square, and its R is [R1, Q' Y].
tensor qr_gradient(const gradient_terms& t) {
  const auto& dims = t.types[0].dims;
  const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
  if (t.attributes.as<linalg_attributes>().complete && rows > columns)
    refuse_gradient("qr: a complete Q has no gradient for more rows than columns: " +
                    to_string(t.types[0]));
  const auto steps = std::min(rows, columns);
  parts factors(t.result), arriving(t.arriving);
  const auto q = transposed(factors.take({steps, rows})), r = factors.take({steps, columns});
  const auto of_q = transposed(arriving.take({steps, rows}));
  const auto of_r = arriving.take({steps, columns});
  if (rows >= columns) return tall_gradient(q, r, of_q, of_r);
  const auto behind = slice(t.inputs[0], -1, rows, {});
  const auto of_behind = slice(of_r, -1, rows, {});
  const auto of_square =
      tall_gradient(q, slice(r, -1, 0, rows), of_q + matmul(behind, transposed(of_behind)),
                    slice(of_r, -1, 0, rows));
  return concatenate({of_square, matmul(q, of_behind)}, -1);
}

}  // namespace troupe::linalg::detail
