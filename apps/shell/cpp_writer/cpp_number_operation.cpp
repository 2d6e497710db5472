// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_operators.hpp"
#include "troupe/apps/shell/evaluator/scalar_arithmetic.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;
namespace strong = cpp_strength;

bool fits_int(const std::optional<scalar>& known) noexcept {
  if (!known || known->is_real()) return false;
  const auto x = static_cast<std::int64_t>(known->bytes(int64));
  return x >= INT32_MIN && x <= INT32_MAX;
}

bool is_comparison(binary_operator op) noexcept {
  return op >= binary_operator::equal && op <= binary_operator::greater_equal;
}

bool is_bitwise(binary_operator op) noexcept {
  return op >= binary_operator::bitwise_and && op <= binary_operator::bitwise_xor;
}

/// The same with a C++ type that is double.
cpp_value as_double(const cpp_value& x) {
  if (x.kind == type::real) return x;
  cpp_value out = x;
  const bool digits = x.text.find_first_not_of("0123456789") == std::string::npos;
  out.text = digits ? x.text + ".0" : "static_cast<double>(" + x.text + ")";
  out.strength = strong::atom;
  out.kind = {.is = type::real};
  return out;
}

class number_operation {
 public:
  number_operation(cpp_context& c, binary_operator op, const cpp_value& x, const cpp_value& y,
                   std::source_location where)
      : c_(c), op_(op), x_(x), y_(y), where_(where) {}

  cpp_value write() {
    if (op_ == binary_operator::matmul) refuse("@ wants arrays", where_);
    auto out = x_.kind == type::real || y_.kind == type::real || op_ == binary_operator::divide
                   ? of_reals()
                   : of_integers();
    if (x_.kind.constant && y_.kind.constant)
      out.kind = number_kind(compute(op_, *x_.kind.constant, *y_.kind.constant, where_));
    out.where = where_;
    return out;
  }

 private:
  cpp_value sign(cpp_kind gives) const {
    const auto [sign, strength] = cpp_operator_of(op_);
    return cpp_binary_of(sign, strength, x_, y_, std::move(gives));
  }
  cpp_value call(std::string_view function, type gives, const cpp_value& x,
                 const cpp_value& y) const {
    return cpp_call_of(function, {x, y}, {.is = gives});
  }

  cpp_value of_reals() {
    if (is_comparison(op_)) return sign({.is = type::truth});
    if (is_bitwise(op_)) refuse("only bools and integers have bits", where_);
    const bool whole = x_.kind != type::real && y_.kind != type::real;
    switch (op_) {
      case binary_operator::divide:
        if (whole) {
          const bool second = y_.narrow && !x_.narrow;
          (second ? y_ : x_) = as_double(second ? y_ : x_);
        }
        return sign({.is = type::real});
      case binary_operator::floor_divide: {
        const auto quotient = cpp_binary_of("/", strong::product, x_, y_, {.is = type::real});
        return cpp_call_of("std::floor", {quotient}, {.is = type::real});
      }
      case binary_operator::remainder:
        return call("floored_remainder", type::real, as_double(x_), as_double(y_));
      case binary_operator::power: return call("std::pow", type::real, x_, y_);
      default: return sign({.is = type::real});
    }
  }

  cpp_value of_integers() {
    const bool truths = x_.kind == type::truth && y_.kind == type::truth;
    const bool natural =
        (x_.kind.natural || x_.kind == type::truth) && (y_.kind.natural || y_.kind == type::truth);
    const bool positive = y_.kind.constant && y_.kind.constant->real() > 0;
    cpp_kind whole{.is = type::integer, .natural = natural};
    switch (op_) {
      case binary_operator::floor_divide:
      case binary_operator::remainder: {
        const bool divide = op_ == binary_operator::floor_divide;
        if (natural && positive)
          return cpp_binary_of(divide ? "/" : "%", strong::product, x_, y_, whole);
        whole.natural = natural || (!divide && positive);
        return cpp_call_of(divide ? "whole_quotient" : "whole_remainder", {x_, y_}, whole);
      }
      case binary_operator::power: return power(natural);
      case binary_operator::subtract: whole.natural = false; break;
      case binary_operator::bitwise_and:
      case binary_operator::bitwise_or:
      case binary_operator::bitwise_xor:
        if (truths) return of_truths();
        break;
      default:
        if (is_comparison(op_)) return sign({.is = type::truth});
    }
    return within_range(whole);
  }

  /// Of C++ ints, unless the result is too large for one.
  cpp_value within_range(const cpp_kind& whole) {
    const bool narrow = x_.narrow && y_.narrow && x_.kind.constant && y_.kind.constant;
    bool fits = false;
    if (narrow) fits = fits_int(compute(op_, *x_.kind.constant, *y_.kind.constant, where_));
    if (narrow && !fits) {
      x_.text = "std::int64_t{" + x_.text + "}";
      x_.strength = strong::atom;
    }
    auto out = sign(whole);
    out.narrow = narrow && fits;
    return out;
  }

  cpp_value of_truths() const {
    const cpp_kind truth{.is = type::truth};
    if (op_ == binary_operator::bitwise_xor)
      return cpp_binary_of("!=", strong::equality, x_, y_, truth);
    const bool both = op_ == binary_operator::bitwise_and;
    return cpp_binary_of(both ? "&&" : "||", both ? strong::both : strong::either, x_, y_, truth);
  }

  cpp_value power(bool natural) {
    if (y_.kind.constant && y_.kind.constant->real() < 0) {
      return call("std::pow", type::real, x_, y_);
    }
    if (!y_.kind.natural && y_.kind != type::truth)
      refuse("whether the power is an integer depends on the exponent: write the base as a real",
             where_);
    auto out = call("whole_power", type::integer, x_, y_);
    out.kind.natural = natural;
    return out;
  }

  cpp_context& c_;
  binary_operator op_;
  cpp_value x_, y_;
  std::source_location where_;
};

}  // namespace

cpp_value cpp_number_operation(cpp_context& c, binary_operator op, const cpp_value& x,
                               const cpp_value& y, std::source_location where) {
  return number_operation(c, op, x, y, where).write();
}

}  // namespace troupe::shell
