// SPDX-License-Identifier: MIT
#include "troupe/onnx/element_rule.hpp"

namespace troupe {

namespace {

using operands = const element_operands&;

/// Returns an operand of a comparison: ONNX has no order of bool.
term ordered(const term& x) { return x.element() == boolean ? x.cast(int32) : x; }

template <const auto& Op>
term compared(operands e) {
  return compare(Op, ordered(e.x()), ordered(e.y()));
}

constexpr char less_operator[] = "Less", less_or_equal_operator[] = "LessOrEqual",
               greater_operator[] = "Greater", greater_or_equal_operator[] = "GreaterOrEqual",
               and_operator[] = "And", or_operator[] = "Or", xor_operator[] = "Xor";

/// Joins what differs from zero.
template <const auto& Op>
term joined(operands e) {
  return compare(Op, e.x().cast(boolean), e.y().cast(boolean));
}

/// Integers are finite numbers.
term never(const term& x) { return !(x == x); }

term is_nan(operands e) { return e.is_real() ? test("IsNaN", e.x()) : never(e.x()); }
term is_infinite(operands e) { return e.is_real() ? test("IsInf", e.x()) : never(e.x()); }
term is_finite(operands e) {
  return e.is_real() ? !(test("IsNaN", e.x()) | test("IsInf", e.x())) : e.x() == e.x();
}

term has_minus(operands e) {
  if (e.is_real()) return is_negative(e.x());
  return e.is_bool() || is_unsigned(e.element()) ? never(e.x()) : e.x() < 0;
}

/// Returns the turned bits: those of -1 - x, which is also the greatest number less x.
term turned_bits(const term& x) { return x.number(0) - x - x.number(1); }

template <const auto& Op>
term bits_joined(operands e) {
  if (!e.is_bool()) refuse(e, "of integers has no counterpart in ONNX before version 18");
  return compare(Op, e.x(), e.y());
}

/// Moves bits of an unsigned number by fewer places than it has.
term moved(const char* direction, const term& x, const term& places) {
  auto& to = x.to();
  const auto dims = *broadcast(x.value().dims, places.value().dims);
  return {to, to.add("BitShift", {x.cast(uint64).value(), places.cast(uint64).value()}, uint64,
                     dims, {{"direction", std::string(direction)}})};
}

term is_within(operands e) {
  const auto width = 8 * static_cast<double>(size_of(e.element()));
  const auto below = e.y() < width;
  return is_unsigned(e.element()) ? below : below & (!(e.y() < 0));
}

term shifted_left(operands e) {
  const auto within = is_within(e);
  const auto bits = moved("LEFT", e.x(), choose(within, e.y(), 0)).cast(e.element());
  return choose(within, bits, 0);
}

/// A negative number keeps its sign: the turned bits of what is shifted are turned.
term shifted_right(operands e) {
  const auto within = is_within(e);
  const auto places = choose(within, e.y(), 0);
  if (is_unsigned(e.element())) return choose(within, moved("RIGHT", e.x(), places), 0);
  const auto below = e.x() < 0;
  const auto bits = moved("RIGHT", choose(below, turned_bits(e.x()), e.x()), places);
  const auto size = choose(within, bits.cast(e.element()), 0);
  return choose(below, turned_bits(size), size);
}

}  // namespace

element_rules comparison_element_rules() {
  using op = elementwise_op;
  const auto by = [](term (*write)(operands e)) { return element_rule{nullptr, write}; };
  return {
      {op::isnan, by(is_nan)},
      {op::isinf, by(is_infinite)},
      {op::isfinite, by(is_finite)},
      {op::signbit, by(has_minus)},
      {op::logical_not, by([](operands e) { return !e.x().cast(boolean); })},
      {op::equal, by([](operands e) { return e.x() == e.y(); })},
      {op::not_equal, by([](operands e) { return !(e.x() == e.y()); })},
      {op::less, by(compared<less_operator>)},
      {op::less_equal, by(compared<less_or_equal_operator>)},
      {op::greater, by(compared<greater_operator>)},
      {op::greater_equal, by(compared<greater_or_equal_operator>)},
      {op::logical_and, by(joined<and_operator>)},
      {op::logical_or, by(joined<or_operator>)},
      {op::logical_xor, by(joined<xor_operator>)},
      {op::bitwise_not, by([](operands e) { return e.is_bool() ? !e.x() : turned_bits(e.x()); })},
      {op::bitwise_and, by(bits_joined<and_operator>)},
      {op::bitwise_or, by(bits_joined<or_operator>)},
      {op::bitwise_xor, by(bits_joined<xor_operator>)},
      {op::bitwise_left_shift, by(shifted_left)},
      {op::bitwise_right_shift, by(shifted_right)}};
}

}  // namespace troupe
