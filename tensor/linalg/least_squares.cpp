// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/least_squares.hpp"

#include <algorithm>
#include <limits>

#include "troupe/tensor/autograd/custom_gradient.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/spectra.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
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
  const double next = real_of(x.dtype()) == float64 ? std::numeric_limits<double>::epsilon()
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

/// Returns a b c, in the order that takes less.
tensor product(const tensor& a, const tensor& b, const tensor& c) {
  const auto left = detail::rows_of(a) * detail::columns_of(b);
  const auto right = detail::rows_of(b) * detail::columns_of(c);
  return left < right ? matmul(matmul(a, b), c) : matmul(a, matmul(b, c));
}

// G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses (1973), for P of A:
// gA = -P' gP P' + (1 - A P) gP' P P' + P' P gP' (1 - P A). In singular values and vectors it would
// divide by differences of values, which may be equal.
tensor pinv_gradient(const tensor& a, const tensor& p, const tensor& arriving) {
  const auto turned = detail::adjoint(p), across = detail::adjoint(arriving);
  const auto first = product(across, p, turned), last = product(turned, p, across);
  return first - product(a, p, first) + last - product(last, p, a) -
         product(turned, arriving, turned);
}

/// Returns the pseudo-inverse of x, whose decomposition has been found.
tensor pinv_of(const tensor& x, const svd_result& found, double rtol, caller where) {
  const auto forward = [&](const std::vector<tensor>&) {
    const auto inverse = expand_dims(reciprocals(found.s, rtol, where), -2, where);
    const auto right = multiply(detail::adjoint(found.vh), inverse, where);
    return matmul(right, detail::adjoint(found.u), where);
  };
  const auto backward = [](const std::vector<tensor>& in, const tensor& p, const tensor& arriving) {
    return std::vector{pinv_gradient(in[0], p, arriving)};
  };
  return custom_gradient({x}, forward, backward, where);
}

/// Returns the shortest x for which a x - b has the least length. It comes from the decomposition
/// of a, which is more accurate than the pseudo-inverse; its gradient comes from that.
tensor shortest(const tensor& a, const svd_result& found, const tensor& b, double rtol,
                caller where) {
  const auto turned = matmul(detail::adjoint(found.u.detach()), b, where);
  const auto scaled =
      multiply(turned, expand_dims(reciprocals(found.s.detach(), rtol, where), -1, where), where);
  const auto x = matmul(detail::adjoint(found.vh.detach()), scaled, where);
  if (!a.node()) return x;
  const auto same = matmul(pinv_of(a, found, rtol, where), b, where);
  return add(x.detach(), subtract(same, same.detach(), where), where);
}

}  // namespace

tensor matrix_rank(const tensor& x, std::optional<double> rtol, caller where) {
  const auto given = widened("matrix_rank", x, where);
  return rank_of(svdvals(given, where), tolerance(given, rtol), where);
}

tensor pinv(const tensor& x, std::optional<double> rtol, caller where) {
  const auto given = widened("pinv", x, where);
  const auto out = pinv_of(given, svd(given.detach(), false, where), tolerance(given, rtol), where);
  return is_narrow_float(x.dtype()) ? astype(out, x.dtype(), where) : out;
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
  const auto found = svd(left, false, where);
  const auto x = shortest(left, found, right, limit, where);
  tensor residuals;
  if (rows > columns)
    residuals = sum_of_squares(subtract(matmul(left, x, where), right, where), -2, false, where);
  else residuals = zeros({0}, {.dtype = real_of(element), .device = x.device()}, where);
  const auto as_given = [&](const tensor& part) {
    const auto wanted = promote(a.dtype(), b.dtype());
    return is_narrow_float(wanted) ? astype(part, wanted, where) : part;
  };
  return {as_given(vector ? squeeze(x, -1, where) : x), as_given(residuals),
          rank_of(found.s, limit, where), as_given(found.s)};
}

}  // namespace troupe::linalg
