// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/comparing.hpp"

#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe {

namespace {

tensor or_both_nan(const tensor& same, const tensor& x, const tensor& y, caller where) {
  return logical_or(same, logical_and(isnan(x, where), isnan(y, where), where), where);
}

tensor close(std::string_view what, const tensor& x, const tensor& y, double rtol, double atol,
             flag equal_nan, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home(what, inputs, where);
  const tensor_type types[] = {x.type(), y.type()};
  const auto both = broadcast(x.shape(), y.shape());
  if (!both || !both->countable()) refuse(what, "shapes do not broadcast", types, where);
  auto element = promote(x.dtype(), y.dtype());
  if (!is_inexact(element)) element = float64;
  const auto a = astype(x, element, where), b = astype(y, element, where);
  const auto distance = abs(subtract(a, b, where), where);
  const auto allowed = add(multiply(abs(b, where), rtol, where), atol, where);
  const auto near = logical_and(less_equal(distance, allowed, where), isfinite(b, where), where);
  const auto out = logical_or(near, equal(a, b, where), where);
  return equal_nan ? or_both_nan(out, a, b, where) : out;
}

}  // namespace

tensor isclose(const tensor& x, const tensor& y, double rtol, double atol, flag equal_nan,
               caller where) {
  return close("isclose", x, y, rtol, atol, equal_nan, where);
}

tensor allclose(const tensor& x, const tensor& y, double rtol, double atol, flag equal_nan,
                caller where) {
  return all(close("allclose", x, y, rtol, atol, equal_nan, where), {}, false, where);
}

tensor array_equal(const tensor& x, const tensor& y, flag equal_nan, caller where) {
  const tensor* const inputs[] = {&x, &y};
  common_home("array_equal", inputs, where);
  if (x.shape() != y.shape()) return full({}, false, {.device = x.device()}, where);
  const auto same = equal(x, y, where);
  return all(equal_nan ? or_both_nan(same, x, y, where) : same, {}, false, where);
}

}  // namespace troupe
