// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/systems.hpp"

#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::linalg {

namespace {

using detail::batch_of;
using detail::with_axes;

/// Submits a system: both sides get the same dtype and the same batch.
tensor submit_system(linalg_op op, const tensor& a, const tensor& b, const linalg_attributes& given,
                     caller where) {
  const auto what = detail::record(op).name;
  const tensor* const both[] = {&a, &b};
  common_home(what, both, where);
  const tensor_type types[] = {a.type(), b.type()};
  if (b.rank() == 0) refuse(what, "the right-hand side is neither vector nor matrix", types, where);
  const bool vector = b.rank() == 1;
  auto left = detail::as_square_matrices(what, a, where);
  auto right = detail::as_matrices(what, vector ? expand_dims(b, 1, where) : b, where);
  const auto n = detail::rows_of(left);
  if (detail::rows_of(right) != n) refuse(what, "not as many rows on both sides", types, where);
  const auto batch = broadcast(batch_of(left.shape()), batch_of(right.shape()));
  if (!batch) refuse(what, "batch axes do not broadcast", types, where);
  const auto element = promote(left.dtype(), right.dtype());
  left = broadcast_to(astype(left, element, where), with_axes(*batch, {n, n}), where);
  right = broadcast_to(astype(right, element, where),
                       with_axes(*batch, {n, detail::columns_of(right)}), where);
  const tensor* const inputs[] = {&left, &right};
  const auto out = detail::submit(op, inputs, given, where);
  return vector ? squeeze(out, -1, where) : out;
}

}  // namespace

tensor solve(const tensor& a, const tensor& b, caller where) {
  return submit_system(linalg_op::solve, a, b, {}, where);
}

tensor solve_triangular(const tensor& a, const tensor& b, const triangular_options& options,
                        caller where) {
  return submit_system(
      linalg_op::solve_triangular, a, b,
      {.upper = options.upper, .transposed = options.transposed, .unit = options.unit_diagonal},
      where);
}

tensor inv(const tensor& x, caller where) {
  return detail::submit(linalg_op::inv, detail::as_square_matrices("inv", x, where), {}, where);
}

tensor det(const tensor& x, caller where) {
  return detail::submit(linalg_op::det, detail::as_square_matrices("det", x, where), {}, where);
}

slogdet_result slogdet(const tensor& x, caller where) {
  const auto both = detail::submit(linalg_op::slogdet,
                                   detail::as_square_matrices("slogdet", x, where), {}, where);
  detail::parts found(both);
  auto sign = found.take({});
  return {sign, real(found.take({}), where)};
}

}  // namespace troupe::linalg
