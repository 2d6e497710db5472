// SPDX-License-Identifier: MIT
#include "troupe/onnx/element_rule.hpp"

namespace troupe {

namespace {

using operands = const element_operands&;

// The sum of bool says if one holds, their product if both do.

term either_or_sum(operands e, const term& x, const term& y) { return e.is_bool() ? x | y : x + y; }
term both_or_product(operands e, const term& x, const term& y) {
  return e.is_bool() ? x & y : x * y;
}

term greater_of(operands e, const term& x, const term& y) {
  return e.is_bool() ? x | y : call("Max", x, y);
}
term lesser_of(operands e, const term& x, const term& y) {
  return e.is_bool() ? x & y : call("Min", x, y);
}

/// Writes an operator for real numbers, which leaves others as they are.
template <char First>
term rounded(operands e) {
  if (!e.is_real()) return e.x();
  return call(First == 'F' ? "Floor" : First == 'C' ? "Ceil" : "Round", e.x());
}

term truncated(operands e) {
  if (!e.is_real()) return e.x();
  return choose(e.x() < 0, call("Ceil", e.x()), call("Floor", e.x()));
}

term negated(operands e) { return is_unsigned(e.element()) ? 0 - e.x() : -e.x(); }

term absolute(operands e) {
  return e.is_bool() || is_unsigned(e.element()) ? e.x() : call("Abs", e.x());
}

term positive_part(operands e) {
  if (e.is_bool() || is_unsigned(e.element())) return e.x();
  return e.is_real() ? call("Relu", e.x()) : call("Max", e.x(), e.x().number(0));
}

term passed_by_relu(operands e) {
  if (e.is_bool()) return e.x() & e.y();
  return choose(e.x() > 0, e.y(), 0);
}

term interpolated(operands e) {
  const auto all = e.y() - e.x();
  return choose(e.w() < 0.5, e.x() + e.w() * all, e.y() - all * (1 - e.w()));
}

term clipped(operands e) {
  if (e.numbers[1] && e.numbers[2] && !e.is_bool()) {
    auto& to = e.x().to();
    return {to, to.add("Clip", {e.x().value(), e.y().value(), e.w().value()}, e.element(),
                       e.x().value().dims)};
  }
  return lesser_of(e, greater_of(e, e.x(), e.y()), e.w());
}

term with_sign_of(operands e) {
  const auto size = call("Abs", e.x());
  return choose(is_negative(e.y()), -size, size);
}

term chosen(operands e) {
  if (!e.is_bool()) return choose(e.x(), e.y(), e.w());
  return (e.x() & e.y()) | ((!e.x()) & e.w());
}

term raised(operands e) {
  if (e.element() == uint64) refuse(e, "ONNX has no powers of uint64");
  return call("Pow", e.x(), e.y());
}

}  // namespace

term is_negative(const term& x) { return (x < 0) | (call("Reciprocal", x) < 0); }

element_rules arithmetic_element_rules() {
  using op = elementwise_op;
  const auto by = [](term (*write)(operands e)) { return element_rule{nullptr, write}; };
  return {{op::negative, by(negated)},
          {op::abs, by(absolute)},
          {op::sign, {"Sign"}},
          {op::square, by([](operands e) { return e.x() * e.x(); })},
          {op::floor, by(rounded<'F'>)},
          {op::ceil, by(rounded<'C'>)},
          {op::round, by(rounded<'R'>)},
          {op::trunc, by(truncated)},
          {op::relu, by(positive_part)},
          {op::add, by([](operands e) { return either_or_sum(e, e.x(), e.y()); })},
          {op::subtract, {"Sub"}},
          {op::multiply, by([](operands e) { return both_or_product(e, e.x(), e.y()); })},
          {op::divide, {"Div"}},
          {op::power, by(raised)},
          {op::maximum, by([](operands e) { return greater_of(e, e.x(), e.y()); })},
          {op::minimum, by([](operands e) { return lesser_of(e, e.x(), e.y()); })},
          {op::copysign, by(with_sign_of)},
          {op::leaky_relu, by([](operands e) { return choose(e.x() > 0, e.x(), e.x() * e.y()); })},
          {op::relu_gradient, by(passed_by_relu)},
          {op::multiply_add, by([](operands e) {
             return either_or_sum(e, both_or_product(e, e.x(), e.y()), e.w());
           })},
          {op::subtract_multiply, by([](operands e) { return (e.x() - e.y()) * e.w(); })},
          {op::lerp, by(interpolated)},
          {op::where, by(chosen)},
          {op::clip, by(clipped)}};
}

}  // namespace troupe
