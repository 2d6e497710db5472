// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/apps/shell/evaluator/scalar_arithmetic.hpp"

namespace troupe::shell::cpp {

namespace {

// In the order of binary_operator.
constexpr std::string_view signs[] = {"+", "-",  "*", "/",  "//", "%", "**", "@",  "==", "!=",
                                      "<", "<=", ">", ">=", "&",  "|", "^",  "&&", "||"};

std::string_view sign_of(binary_operator op) noexcept {
  return signs[static_cast<std::size_t>(op)];
}

int strength_of(binary_operator op) noexcept {
  return op <= binary_operator::subtract        ? of_sum
         : op <= binary_operator::matmul        ? of_product
         : op <= binary_operator::greater_equal ? of_comparison
                                                : of_choice;
}

/// The function, where arrays have no such operator.
std::string_view function_of(binary_operator op) noexcept {
  return op == binary_operator::floor_divide ? "floor_divide"
         : op == binary_operator::power      ? "power"
         : op == binary_operator::matmul     ? "matmul"
                                             : "";
}

value as_real(const value& x) {
  if (x.is == kind::real) return x;
  if (x.constant) return constant_of(x.constant->real());
  return call_of("static_cast<double>", {x}, kind::real);
}

/// An integer in place of a truth, which C++ would take for an int.
value whole(const value& x) {
  if (x.is != kind::truth) return x;
  return {.is = kind::integer, .text = "std::int64_t{" + x.text + "}", .acts = x.acts};
}

}  // namespace

value writer::write(const unary& x, const expression& e) {
  auto y = x.op == unary_operator::negation ? write_condition(*x.x) : write(*x.x);
  if (y.constant) return constant_of(shell::compute(x.op, *y.constant, e.call_site));
  if (x.op != unary_operator::negation) y = is_number(y.is) ? y : as_array(y, e.call_site);
  const bool opposite =
      x.op == unary_operator::negation || (x.op == unary_operator::invert && y.is == kind::truth);
  if (!opposite) y = whole(y);
  if (x.op == unary_operator::positive) return y;
  const std::string_view sign = opposite ? "!" : x.op == unary_operator::invert ? "~" : "-";
  return {.is = y.is,
          .text = std::string(sign) + within(y, of_atom),
          .strength = of_sign,
          .acts = y.acts};
}

value writer::write(const binary& x, const expression& e) {
  if (x.op == binary_operator::both || x.op == binary_operator::either)
    return either(x, e.call_site, false);
  const expression* operands[] = {x.x.get(), x.y.get()};
  auto both = write_in_order(operands);
  return compute(x.op, std::move(both[0]), std::move(both[1]), e.call_site);
}

/// Writes an operand of `if`, `not`, `and` or `or`: C++ wants a bool.
value writer::write_condition(const expression& e) {
  if (const auto* x = std::get_if<binary>(&e.node)) {
    if (x->op == binary_operator::both || x->op == binary_operator::either)
      return either(*x, e.call_site, true);
  }
  return as_condition(write(e), e.call_site);
}

/// `and`, `or`: the language gives one of the operands, C++ a bool.
value writer::either(const binary& x, std::source_location where, bool condition) {
  const auto operand = [&](const expression& e) {
    auto out = condition ? write_condition(e) : write(e);
    if (out.is != kind::truth) refuse("and, or of what is not true or false", where);
    return out;
  };
  const auto first = operand(*x.x);
  const auto lines = frame_->lines.size() - frame_->statement;
  const auto second = operand(*x.y);
  if (frame_->lines.size() - frame_->statement != lines)
    refuse("several random numbers behind and, or", where);
  return operation(kind::truth, first, sign_of(x.op), second, of_choice);
}

value writer::compute(binary_operator op, value x, value y, std::source_location where) {
  if (is_number(x.is) && is_number(y.is)) return compute_numbers(op, x, y, where);
  const bool equality = op == binary_operator::equal || op == binary_operator::not_equal;
  const bool plain = x.is == kind::text || x.is == kind::dtype || x.is == kind::device;
  if (equality && plain && x.is == y.is) {
    x.text = typed(x);
    return operation(kind::truth, x, sign_of(op), y, strength_of(op));
  }
  const bool product = op == binary_operator::matmul;
  if (product || !is_number(x.is)) x = as_array(x, where);
  if (product || !is_number(y.is)) y = as_array(y, where);
  if (const auto name = function_of(op); !name.empty()) return call_of(name, {x, y}, kind::array);
  return operation(kind::array, x, sign_of(op), y, strength_of(op));
}

/// Arithmetic as Python has it: of constants it is done here.
value writer::compute_numbers(binary_operator op, value x, value y, std::source_location where) {
  if (x.constant && y.constant)
    return constant_of(shell::compute(op, *x.constant, *y.constant, where));
  if (strength_of(op) == of_comparison)
    return operation(kind::truth, x, sign_of(op), y, of_comparison);
  if (strength_of(op) == of_choice) {
    if (x.is == kind::truth && y.is == kind::truth) {
      if (op == binary_operator::bitwise_xor)
        return operation(kind::truth, x, "!=", y, of_comparison);
      auto bits = operation(kind::truth, x, sign_of(op), y, of_choice);
      bits.text = "static_cast<bool>(" + bits.text + ")";
      bits.strength = of_atom;
      return bits;
    }
    return operation(kind::integer, whole(x), sign_of(op), whole(y), of_choice);
  }
  x = whole(x);
  y = whole(y);
  const bool real = x.is == kind::real || y.is == kind::real;
  const auto gives = real ? kind::real : kind::integer;
  switch (op) {
    case binary_operator::divide:
      if (!real) x = as_real(x);
      return operation(kind::real, x, "/", y, of_product);
    case binary_operator::floor_divide:
      if (!real) return call_of("whole_quotient", {x, y}, gives);
      return call_of("std::floor", {operation(gives, x, "/", y, of_product)}, gives);
    case binary_operator::remainder:
      return call_of(real ? "floored_remainder" : "whole_remainder", {x, y}, gives);
    case binary_operator::power: {
      if (real) return call_of("std::pow", {x, y}, gives);
      if (!y.constant) refuse("an integer or a real, which depends on the exponent", where);
      if (y.constant->real() >= 0) return call_of("whole_power", {x, y}, gives);
      return call_of("std::pow", {as_real(x), y}, kind::real);
    }
    default: return operation(gives, x, sign_of(op), y, strength_of(op));
  }
}

}  // namespace troupe::shell::cpp
