// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/arithmetic.hpp"

#include <cmath>

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

template <class X, class Y>
quotient_and_remainder divided(const X& x, const Y& y, caller where) {
  return {floor_divide(x, y, where), remainder(x, y, where)};
}

}  // namespace

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
