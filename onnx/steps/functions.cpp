// SPDX-License-Identifier: MIT
#include <limits>
#include <numbers>

#include "troupe/onnx/element_rule.hpp"

namespace troupe {

namespace {

using operands = const element_operands&;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns log(1 + x). Near 0 it is twice the area tangent of x / (2 + x), which is exact there.
term log1p_of(const term& x) {
  const auto near = call("Atanh", x / (x + 2)) * 2;
  return choose(call("Abs", x) < 0.5, near, call("Log", x + 1));
}

/// Returns exp(x) - 1 as tanh(x / 2) (exp(x) + 1), which is exact near 0.
term expm1_of(const term& x) { return call("Tanh", x * 0.5) * (call("Exp", x) + 1); }

term cbrt_of(const term& x) {
  return call("Sign", x) * call("Pow", call("Abs", x), x.number(1. / 3));
}

/// Returns the angle of a point from that in the first half of the first octant.
term atan2_of(const term& y, const term& x) {
  const auto height = call("Abs", y), width = call("Abs", x);
  const auto steep = height > width;
  const auto ratio = choose(steep, width, height) / choose(steep, height, width);
  // Both are 0, or both infinite.
  const auto known = choose(height == width, choose(height == 0, 0, height.number(1)), ratio);
  const auto octant = call("Atan", known);
  const auto quadrant = choose(steep, std::numbers::pi / 2 - octant, octant);
  const auto half = choose(is_negative(x), std::numbers::pi - quadrant, quadrant);
  return choose(is_negative(y), -half, half);
}

term hypot_of(const term& x, const term& y) {
  const auto a = call("Abs", x), b = call("Abs", y);
  const auto greater = call("Max", a, b), less = call("Min", a, b);
  const auto ratio = less / choose(greater == 0, 1, greater);
  const auto length = greater * call("Sqrt", ratio * ratio + 1);
  return choose((a == infinity) | (b == infinity), infinity, length);
}

term erfc_of(const term& x) { return 1 - call("Erf", x); }

}  // namespace

term logaddexp_of(const term& x, const term& y) {
  // The difference of equal infinities is NaN.
  const auto apart = choose(x == y, 0, -call("Abs", x - y));
  return call("Max", x, y) + call("Softplus", apart);
}

element_rules function_element_rules() {
  using op = elementwise_op;
  const element_rule silu{nullptr, [](operands e) { return e.x() / (call("Exp", -e.x()) + 1); }};
  const element_rule gelu{nullptr, [](operands e) {
                            return e.x() * (call("Erf", e.x() * std::numbers::sqrt2 * 0.5) + 1) *
                                   0.5;
                          }};
  return {
      {op::sqrt, {"Sqrt"}},
      {op::rsqrt, {nullptr, [](operands e) { return 1 / call("Sqrt", e.x()); }}},
      {op::cbrt, {nullptr, [](operands e) { return cbrt_of(e.x()); }}},
      {op::reciprocal, {"Reciprocal"}},
      {op::exp, {"Exp"}},
      {op::exp2, {nullptr, [](operands e) { return call("Pow", e.x().number(2), e.x()); }}},
      {op::elu,
       {nullptr, [](operands e) { return choose(e.x() > 0, e.x(), e.y() * expm1_of(e.x())); }}},
      {op::expm1, {nullptr, [](operands e) { return expm1_of(e.x()); }}},
      {op::log, {"Log"}},
      {op::log2, {nullptr, [](operands e) { return call("Log", e.x()) / std::numbers::ln2; }}},
      {op::log10, {nullptr, [](operands e) { return call("Log", e.x()) / std::numbers::ln10; }}},
      {op::log1p, {nullptr, [](operands e) { return log1p_of(e.x()); }}},
      {op::sin, {"Sin"}},
      {op::cos, {"Cos"}},
      {op::tan, {"Tan"}},
      {op::arcsin, {"Asin"}},
      {op::arccos, {"Acos"}},
      {op::arctan, {"Atan"}},
      {op::sinh, {"Sinh"}},
      {op::cosh, {"Cosh"}},
      {op::tanh, {"Tanh"}},
      {op::arcsinh, {"Asinh"}},
      {op::arccosh, {"Acosh"}},
      {op::arctanh, {"Atanh"}},
      {op::degrees, {nullptr, [](operands e) { return e.x() * (180 / std::numbers::pi); }}},
      {op::radians, {nullptr, [](operands e) { return e.x() * (std::numbers::pi / 180); }}},
      {op::sigmoid, {"Sigmoid"}},
      {op::softplus, {"Softplus"}},
      {op::silu, silu},
      {op::gelu, gelu},
      {op::erf, {"Erf"}},
      {op::erfc, {nullptr, [](operands e) { return erfc_of(e.x()); }}},
      {op::arctan2, {nullptr, [](operands e) { return atan2_of(e.x(), e.y()); }}},
      {op::hypot, {nullptr, [](operands e) { return hypot_of(e.x(), e.y()); }}},
      {op::logaddexp, {nullptr, [](operands e) { return logaddexp_of(e.x(), e.y()); }}}};
}

}  // namespace troupe
