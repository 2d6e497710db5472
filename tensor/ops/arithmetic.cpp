// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/arithmetic.hpp"

#include <cmath>
#include <limits>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/dtypes.hpp"

namespace troupe {

namespace {

template <class X, class Y>
quotient_and_remainder divided(const X& x, const Y& y, caller where) {
  return {floor_divide(x, y, where), remainder(x, y, where)};
}

/// The greatest number of the dtype that clipping computes in, or the least.
scalar open_end(const tensor& x, const tensor_or_scalar& other, bool greatest, caller where) {
  const auto element = result_type({x, other}, where);
  if (element == boolean) return greatest;
  if (!is_integer(element)) {
    constexpr auto infinity = std::numeric_limits<double>::infinity();
    return greatest ? infinity : -infinity;
  }
  const auto limits = iinfo(element, where);
  return greatest ? scalar(limits.max) : scalar(limits.min);
}

}  // namespace

tensor clip(const tensor& x, const tensor_or_scalar& low, std::nullopt_t, caller where) {
  check_defined("clip", x, where);
  return clip(x, low, open_end(x, low, true, where), where);
}

tensor clip(const tensor& x, std::nullopt_t, const tensor_or_scalar& high, caller where) {
  check_defined("clip", x, where);
  return clip(x, open_end(x, high, false, where), high, where);
}

tensor positive(const tensor& x, caller where) {
  check_defined("positive", x, where);
  if (x.dtype() == boolean) throw error("positive: not possible for " + to_string(x.type()), where);
  return x;
}

quotient_and_remainder divmod(const tensor& x, const tensor& y, caller where) {
  return divided(x, y, where);
}
quotient_and_remainder divmod(const tensor& x, scalar y, caller where) {
  return divided(x, y, where);
}
quotient_and_remainder divmod(scalar x, const tensor& y, caller where) {
  return divided(x, y, where);
}

tensor round(const tensor& x, std::int64_t decimals, caller where) {
  check_defined("round", x, where);
  const bool whole = !is_floating(x.dtype());
  if (decimals == 0 || (whole && decimals > 0)) return round(x, where);
  if (whole && x.dtype() == boolean) return round(astype(x, int64, where), decimals, where);
  const auto power = std::pow(10., std::abs(static_cast<double>(decimals)));
  const auto reals = whole ? astype(x, float64, where) : x;
  if (decimals > 0) return divide(round(multiply(reals, power, where), where), power, where);
  const auto out = multiply(round(divide(reals, power, where), where), power, where);
  return astype(out, x.dtype(), where);
}

}  // namespace troupe
