// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_operators.hpp"

#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/evaluator/scalar_arithmetic.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;
namespace strong = cpp_strength;

/// The function of the library that stands for an operator which C++ does not have.
std::string_view function_of(binary_operator op) noexcept {
  if (op == binary_operator::floor_divide) return "floor_divide";
  return op == binary_operator::power ? "power" : "matmul";
}

cpp_value compare_others(binary_operator op, cpp_value x, const cpp_value& y) {
  if (x.kind == type::text && x.kind.known_text && y.kind.known_text)
    x.text = "std::string(" + x.text + ")";  // the texts, not where they lie
  const auto [sign, strength] = cpp_operator_of(op);
  return cpp_binary_of(sign, strength, x, y, {.is = type::truth});
}

}  // namespace

cpp_operator cpp_operator_of(binary_operator op) noexcept {
  switch (op) {
    case binary_operator::add: return {"+", strong::sum};
    case binary_operator::subtract: return {"-", strong::sum};
    case binary_operator::multiply: return {"*", strong::product};
    case binary_operator::divide: return {"/", strong::product};
    case binary_operator::remainder: return {"%", strong::product};
    case binary_operator::equal: return {"==", strong::equality};
    case binary_operator::not_equal: return {"!=", strong::equality};
    case binary_operator::less: return {"<", strong::order};
    case binary_operator::less_equal: return {"<=", strong::order};
    case binary_operator::greater: return {">", strong::order};
    case binary_operator::greater_equal: return {">=", strong::order};
    case binary_operator::bitwise_and: return {"&", strong::bit_and};
    case binary_operator::bitwise_xor: return {"^", strong::bit_xor};
    case binary_operator::bitwise_or: return {"|", strong::bit_or};
    default: return {"", strong::atom};
  }
}

cpp_value cpp_operation(cpp_context& c, binary_operator op, cpp_value x, cpp_value y,
                        std::source_location where) {
  if (x.kind == type::mixed) refuse(x.kind.facts, where);
  if (y.kind == type::mixed) refuse(y.kind.facts, where);
  const bool equality = op == binary_operator::equal || op == binary_operator::not_equal;
  if (equality && x.kind.is == y.kind.is &&
      (x.kind == type::text || x.kind == type::dtype || x.kind == type::device))
    return compare_others(op, std::move(x), y);
  if (is_number(x.kind) && is_number(y.kind)) {
    std::vector both = {std::move(x), std::move(y)};
    c.put_in_order(both);
    return cpp_number_operation(c, op, both[0], both[1], where);
  }
  const auto operand = [&](const cpp_value& one) {
    const bool stays = is_number(one.kind) && op != binary_operator::matmul;
    return stays ? one : as_array(c, one, "the operator", where);
  };
  std::vector both = {operand(x), operand(y)};
  c.put_in_order(both);
  const auto [sign, strength] = cpp_operator_of(op);
  if (*sign == 0) return cpp_call_of(function_of(op), both, array_kind());
  return cpp_binary_of(sign, strength, both[0], both[1], array_kind());
}

cpp_value cpp_operation(cpp_context& c, unary_operator op, const cpp_value& x,
                        std::source_location where) {
  cpp_value out = is_number(x.kind) ? x : as_array(c, x, "the operator", where);
  if (op == unary_operator::positive && out.kind != type::truth) return out;
  const bool truth = out.kind == type::truth;
  if (out.kind == type::real && op == unary_operator::invert)
    refuse("only bools and integers have bits", where);
  const char sign = op == unary_operator::negative   ? '-'
                    : op == unary_operator::positive ? '+'
                    : truth                          ? '!'
                                                     : '~';
  const auto inner = within(out, strong::sign);
  out.text = inner.starts_with(sign) && sign != '!' ? std::string(1, sign) + "(" + inner + ")"
                                                    : sign + inner;
  out.strength = strong::sign;
  out.where = where;
  if (!is_number(out.kind)) {
    out.kind = array_kind();
    out.plain = false;
    return out;
  }
  const auto known = out.kind.constant;
  const auto was = out.kind.is;
  out.kind = {.is = was == type::truth && op != unary_operator::invert ? type::integer : was};
  if (known) out.kind = number_kind(compute(op, *known, where));
  out.narrow = out.narrow || was == type::truth;
  return out;
}

}  // namespace troupe::shell
