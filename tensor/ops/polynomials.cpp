// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/polynomials.hpp"

#include <limits>

#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/linalg/least_squares.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/grids.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

tensor polyval(const tensor& coefficients, const tensor& x, caller where) {
  const tensor* const inputs[] = {&coefficients, &x};
  common_home("polyval", inputs, where);
  if (coefficients.rank() != 1)
    throw error("polyval: not a vector of coefficients: " + to_string(coefficients.type()), where);
  const detail::on_behalf_of user(where);
  const auto element = promote(coefficients.dtype(), x.dtype());
  const auto factors = astype(coefficients, element), at = astype(x, element);
  if (factors.size() == 0) return zeros_like(at);
  auto sums = broadcast_to(factors[0], x.shape());
  for (std::int64_t i = 1; i < factors.size(); ++i) sums = sums * at + factors[i];
  return sums;
}

tensor polyfit(const tensor& x, const tensor& y, std::int64_t degree, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home("polyfit", inputs, where);
  const tensor_type types[] = {x.type(), y.type()};
  if (x.rank() != 1 || (y.rank() != 1 && y.rank() != 2) || y.shape()[0] != x.size())
    refuse("polyfit", "not a value, or a row of them, for each place", types, where);
  if (x.size() == 0) refuse("polyfit", "no points", types, where);
  if (degree < 0) throw error("polyfit: negative degree " + std::to_string(degree), where);
  const detail::on_behalf_of user(where);
  const auto found = promote(x.dtype(), y.dtype());
  const auto element = promote(found, float64);
  // Columns of the same length, so that no power counts as 0 beside another.
  const auto powers = vander(astype(x, element), degree + 1);
  const auto lengths = norm(powers, 0);
  const auto scale = troupe::where(greater(lengths, 0), lengths, 1);
  const double rtol = static_cast<double>(x.size()) * std::numeric_limits<double>::epsilon();
  const auto best = linalg::lstsq(powers / scale, astype(y, element), rtol).x;
  const auto out = best / (y.rank() == 2 ? expand_dims(scale, 1) : scale);
  return is_inexact(found) ? astype(out, found) : out;
}

}  // namespace troupe
