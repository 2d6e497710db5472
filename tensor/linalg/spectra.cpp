// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/spectra.hpp"

#include <algorithm>

#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe::linalg {

svd_result svd(const tensor& x, flag full_matrices, caller where) {
  const auto given = detail::as_matrices("svd", x, where);
  const auto rows = detail::rows_of(given), columns = detail::columns_of(given);
  const auto steps = std::min(rows, columns);
  const auto row = detail::submit(linalg_op::svd, given, {.complete = full_matrices}, where);
  detail::parts found(row);
  auto u = found.take({rows, full_matrices ? rows : steps});
  auto s = real(found.take({steps}), where);
  return {u, s, found.take({full_matrices ? columns : steps, columns})};
}

tensor svdvals(const tensor& x, caller where) {
  return detail::submit(linalg_op::svdvals, detail::as_matrices("svdvals", x, where), {}, where);
}

eigh_result eigh(const tensor& x, caller where) {
  const auto given = detail::as_square_matrices("eigh", x, where);
  const auto n = detail::rows_of(given);
  const auto row = detail::submit(linalg_op::eigh, given, {}, where);
  detail::parts found(row);
  auto values = real(found.take({n}), where);
  return {values, detail::transposed(found.take({n, n}))};
}

eig_result eig(const tensor& x, caller where) {
  const auto given = detail::as_square_matrices("eig", x, where);
  const auto n = detail::rows_of(given);
  const auto row = detail::submit(linalg_op::eig, given, {}, where);
  detail::parts found(row);
  auto values = found.take({n});
  return {values, detail::transposed(found.take({n, n}))};
}

tensor eigvals(const tensor& x, caller where) {
  return detail::submit(linalg_op::eigvals, detail::as_square_matrices("eigvals", x, where), {},
                        where);
}

tensor eigvalsh(const tensor& x, caller where) {
  return detail::submit(linalg_op::eigvalsh, detail::as_square_matrices("eigvalsh", x, where), {},
                        where);
}

}  // namespace troupe::linalg
