// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/least_squares.hpp"

#include <algorithm>
#include <limits>

#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/spectra.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::linalg {

namespace {

/// Returns the matrices in the dtype that they are computed in.
tensor widened(std::string_view what, const tensor& x, caller where) {
  const auto given = detail::as_matrices(what, x, where);
  return astype(given, computed(given.dtype()), where);
}

double tolerance(const tensor& x, std::optional<double> rtol) {
  if (rtol) return *rtol;
  const double next = x.dtype() == float64 ? std::numeric_limits<double>::epsilon()
                                           : std::numeric_limits<float>::epsilon();
  return next * static_cast<double>(std::max(detail::rows_of(x), detail::columns_of(x)));
}

/// Returns true for the singular values that count.
tensor counting(const tensor& s, double rtol, caller where) {
  // The first one is the greatest. A matrix without elements has none.
  if (s.size() == 0) return greater(s, 0., where);
  return greater(s, multiply(max(s, -1, keepdims, where), rtol, where), where);
}

tensor rank_of(const tensor& s, double rtol, caller where) {
  return count_nonzero(counting(s, rtol, where), -1, false, where);
}

/// Returns 1 / s, or 0 for those that count as 0. `where` computes both sides: no 1 / 0 there.
tensor reciprocals(const tensor& s, double rtol, caller where) {
  const auto which = counting(s, rtol, where);
  const auto divisors = troupe::where(which, s, 1., where);
  return troupe::where(which, divide(1., divisors, where), 0., where);
}

}  // namespace

tensor matrix_rank(const tensor& x, std::optional<double> rtol, caller where) {
  const auto given = widened("matrix_rank", x, where);
  return rank_of(svdvals(given, where), tolerance(given, rtol), where);
}

tensor pinv(const tensor& x, std::optional<double> rtol, caller where) {
  const auto given = widened("pinv", x, where);
  const auto [u, s, vh] = svd(given, false, where);
  const auto inverse = expand_dims(reciprocals(s, tolerance(given, rtol), where), -2, where);
  const auto right = multiply(detail::transposed(vh), inverse, where);
  const auto out = matmul(right, detail::transposed(u), where);
  return is_narrow(x.dtype()) ? astype(out, x.dtype(), where) : out;
}

lstsq_result lstsq(const tensor& a, const tensor& b, std::optional<double> rtol, caller where) {
  const tensor* const both[] = {&a, &b};
  common_home("lstsq", both, where);
  const tensor_type types[] = {a.type(), b.type()};
  const bool vector = b.rank() == 1;
  auto left = widened("lstsq", a, where);
  if (b.rank() == 0)
    refuse("lstsq", "the right-hand side is neither vector nor matrix", types, where);
  auto right = widened("lstsq", vector ? expand_dims(b, 1, where) : b, where);
  const auto rows = detail::rows_of(left), columns = detail::columns_of(left);
  if (detail::rows_of(right) != rows)
    refuse("lstsq", "not as many rows on both sides", types, where);
  if (!broadcast(detail::batch_of(left.shape()), detail::batch_of(right.shape())))
    refuse("lstsq", "batch axes do not broadcast", types, where);
  const auto element = promote(left.dtype(), right.dtype());
  left = astype(left, element, where);
  right = astype(right, element, where);
  const auto limit = tolerance(left, rtol);
  const auto [u, s, vh] = svd(left, false, where);
  const auto turned = matmul(detail::transposed(u), right, where);
  const auto scaled = multiply(turned, expand_dims(reciprocals(s, limit, where), -1, where), where);
  const auto x = matmul(detail::transposed(vh), scaled, where);
  tensor residuals;
  if (rows > columns)
    residuals = sum_of_squares(subtract(matmul(left, x, where), right, where), -2, false, where);
  else residuals = zeros({0}, {.dtype = element, .device = x.device()}, where);
  return {vector ? squeeze(x, -1, where) : x, residuals, rank_of(s, limit, where), s};
}

}  // namespace troupe::linalg
