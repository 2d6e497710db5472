// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/factors.hpp"

#include <algorithm>

#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::linalg {

tensor cholesky(const tensor& x, flag upper, caller where) {
  const auto given = detail::as_square_matrices("cholesky", x, where);
  if (!upper) return detail::submit(linalg_op::cholesky, given, {}, where);
  return detail::adjoint(detail::submit(linalg_op::cholesky, detail::adjoint(given), {}, where));
}

lu_result lu(const tensor& x, caller where) {
  auto given = detail::as_matrices("lu", x, where);
  const auto element = given.dtype();
  given = astype(given, computed(element), where);  // the numbers of rows do not fit narrow floats
  const auto rows = detail::rows_of(given), columns = detail::columns_of(given);
  const auto steps = std::min(rows, columns);
  const auto row = detail::submit(linalg_op::lu, given, {}, where);
  detail::parts found(row);
  const auto order = real(found.take({rows}), where);
  const auto both = detail::transposed(found.take({columns, rows}));
  const auto unit = eye(rows, steps, 0, {.dtype = given.dtype(), .device = given.device()}, where);
  const auto lower = add(tril(slice(both, -1, 0, steps, 1, where), -1, where), unit, where);
  const auto upper = triu(slice(both, -2, 0, steps, 1, where), 0, where);
  return {detail::permutation_matrix(order, element, where), astype(lower, element, where),
          astype(upper, element, where)};
}

qr_result qr(const tensor& x, flag complete, caller where) {
  const auto given = detail::as_matrices("qr", x, where);
  const auto rows = detail::rows_of(given), columns = detail::columns_of(given);
  const auto wide = complete ? rows : std::min(rows, columns);
  const auto row = detail::submit(linalg_op::qr, given, {.complete = complete}, where);
  detail::parts found(row);
  const auto q = detail::transposed(found.take({wide, rows}));
  return {q, found.take({wide, columns})};
}

}  // namespace troupe::linalg
