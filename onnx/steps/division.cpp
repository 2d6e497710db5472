// SPDX-License-Identifier: MIT
#include "troupe/onnx/element_rule.hpp"

namespace troupe {

namespace {

using operands = const element_operands&;

// A quotient by 0 is 0, and the smallest integer divided by -1 is itself; runners of ONNX may stop
// at either, so they are not asked for.

bool is_safe_divisor(operands e) {
  return e.numbers[1] && e.numbers[1]->bits != 0 &&
         static_cast<std::int64_t>(e.numbers[1]->bits) > 0;
}

bool may_be_negative(operands e) { return !is_unsigned(e.element()); }

/// Returns the divisor of integers, with 1 in place of 0 and -1.
term safe_divisor(operands e) {
  if (is_safe_divisor(e)) return e.y();
  const auto zero = e.y() == 0;
  return choose(may_be_negative(e) ? zero | (e.y() == -1) : zero, 1, e.y());
}

/// Returns what is left with the dividend's sign.
term rest_of(const term& x, const term& y) {
  auto& to = x.to();
  const auto dims = *broadcast(x.value().dims, y.value().dims);
  return {to,
          to.add("Mod", {x.value(), y.value()}, x.element(), dims, {{"fmod", std::int64_t{1}}})};
}

term differ_in_sign(const term& x, const term& y) { return compare("Xor", x < 0, y < 0); }

term fmod_of(operands e) { return rest_of(e.x(), e.is_real() ? e.y() : safe_divisor(e)); }

term remainder_of(operands e) {
  if (!e.is_real()) return call("Mod", e.x(), safe_divisor(e));
  const auto rest = rest_of(e.x(), e.y());
  const auto turned = choose(differ_in_sign(rest, e.y()), rest + e.y(), rest);
  return choose(rest == 0, choose(e.y() < 0, e.y().number(-0.), e.y().number(0)), turned);
}

term integer_quotient(operands e) {
  const auto divisor = safe_divisor(e);
  auto quotient = e.x() / divisor;
  if (may_be_negative(e)) {
    const auto rest = e.x() - quotient * divisor;
    const auto above = (!(rest == 0)) & differ_in_sign(rest, divisor);
    quotient = quotient - above.cast(e.element());
  }
  if (is_safe_divisor(e)) return quotient;
  if (may_be_negative(e)) quotient = choose(e.y() == -1, -e.x(), quotient);
  return choose(e.y() == 0, 0, quotient);
}

term real_quotient(operands e) {
  const auto rest = rest_of(e.x(), e.y());
  const auto quotient = (e.x() - rest) / e.y();
  const auto above = (!(rest == 0)) & differ_in_sign(rest, e.y());
  const auto lowered = choose(above, quotient - 1, quotient);
  const auto down = call("Floor", lowered);
  return choose(e.y() == 0, e.x() / e.y(), choose(lowered - down > 0.5, down + 1, down));
}

}  // namespace

element_rules division_element_rules() {
  using op = elementwise_op;
  const auto quotient = [](operands e) {
    return e.is_real() ? real_quotient(e) : integer_quotient(e);
  };
  return {{op::floor_divide, {nullptr, quotient}},
          {op::remainder, {nullptr, remainder_of}},
          {op::fmod, {nullptr, fmod_of}}};
}

}  // namespace troupe
