// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <utility>

#include "troupe/devices/scalar_functions.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::language {

namespace {

std::int64_t integer(scalar x) noexcept { return static_cast<std::int64_t>(x.bytes(int64)); }

/// Returns what orders integers as they are: those above int64's behind all others.
std::pair<bool, std::uint64_t> rank(scalar x) noexcept {
  const bool above = x.type() == scalar::kind::natural;
  return {above, above ? x.bytes(uint64) : x.bytes(int64) ^ (std::uint64_t{1} << 63)};
}

[[noreturn]] void overflow(caller where) {
  throw error("the integer does not fit int64: write one of the numbers as a real", where);
}

double floored_remainder(double x, double y) noexcept {
  double r = std::fmod(x, y);
  if (r != 0 && (r < 0) != (y < 0)) r += y;
  return r == 0 ? std::copysign(0.0, y) : r;
}

scalar power(std::int64_t x, std::int64_t y, caller where) {
  if (y < 0) return std::pow(static_cast<double>(x), static_cast<double>(y));
  std::int64_t out = 1;
  for (; y > 0; y >>= 1) {
    if ((y & 1) != 0 && __builtin_mul_overflow(out, x, &out)) overflow(where);
    if (y > 1 && __builtin_mul_overflow(x, x, &x)) overflow(where);
  }
  return out;
}

std::int64_t shifted(binary_operator op, std::int64_t x, std::int64_t y, caller where) {
  if (y < 0) throw error("bits are moved by a negative number of places", where);
  if (op == binary_operator::right_shift) return x >> std::min<std::int64_t>(y, 63);
  const auto out = y < 64 ? x << y : 0;
  if (x != 0 && (y > 63 || out >> y != x)) overflow(where);
  return out;
}

scalar of_integers(binary_operator op, std::int64_t x, std::int64_t y, caller where) {
  std::int64_t out = 0;
  switch (op) {
    case binary_operator::add:
      if (__builtin_add_overflow(x, y, &out)) overflow(where);
      return out;
    case binary_operator::subtract:
      if (__builtin_sub_overflow(x, y, &out)) overflow(where);
      return out;
    case binary_operator::multiply:
      if (__builtin_mul_overflow(x, y, &out)) overflow(where);
      return out;
    case binary_operator::floor_divide:
    case binary_operator::remainder: {
      if (y == 0) throw error("an integer is divided by zero", where);
      if (y == -1)
        return op == binary_operator::remainder
                   ? 0
                   : of_integers(binary_operator::subtract, 0, x, where);
      const bool down = x % y != 0 && (x % y < 0) != (y < 0);
      return op == binary_operator::remainder ? x % y + (down ? y : 0) : x / y - (down ? 1 : 0);
    }
    case binary_operator::power: return power(x, y, where);
    case binary_operator::bitwise_and: return x & y;
    case binary_operator::bitwise_or: return x | y;
    case binary_operator::left_shift:
    case binary_operator::right_shift: return shifted(op, x, y, where);
    default: return x ^ y;
  }
}

scalar of_reals(binary_operator op, double x, double y, caller where) {
  switch (op) {
    case binary_operator::add: return x + y;
    case binary_operator::subtract: return x - y;
    case binary_operator::multiply: return x * y;
    case binary_operator::divide: return x / y;
    case binary_operator::floor_divide: return scalar_functions::floor_divide(x, y);
    case binary_operator::remainder: return floored_remainder(x, y);
    case binary_operator::power: return std::pow(x, y);
    default: throw error("only bools and integers of int64 have bits", where);
  }
}

scalar of_complex(binary_operator op, scalar a, scalar b, caller where) {
  const std::complex<double> x(a.real(), a.imaginary()), y(b.real(), b.imaginary());
  switch (op) {
    // A real number has no imaginary part, not even 0.0: 1 - 0j keeps the sign of its zero.
    case binary_operator::add:
      if (!a.is_complex()) return x.real() + y;
      return b.is_complex() ? x + y : x + y.real();
    case binary_operator::subtract:
      if (!a.is_complex()) return x.real() - y;
      return b.is_complex() ? x - y : x - y.real();
    case binary_operator::multiply: return x * y;
    case binary_operator::divide: return x / y;
    case binary_operator::power: {
      const auto out = scalar_functions::power(complex_number(x.real(), x.imag()),
                                               complex_number(y.real(), y.imag()));
      return std::complex<double>(out.re, out.im);
    }
    case binary_operator::equal: return x == y;
    case binary_operator::not_equal: return x != y;
    default:
      throw error("not possible for complex numbers: " + to_string(a) + " and " + to_string(b),
                  where);
  }
}

template <class T>
bool compare(binary_operator op, T x, T y) noexcept {
  switch (op) {
    case binary_operator::equal: return x == y;
    case binary_operator::not_equal: return x != y;
    case binary_operator::less: return x < y;
    case binary_operator::less_equal: return x <= y;
    case binary_operator::greater: return x > y;
    default: return x >= y;
  }
}

bool is_comparison(binary_operator op) noexcept {
  return op >= binary_operator::equal && op <= binary_operator::greater_equal;
}

bool is_bitwise(binary_operator op) noexcept {
  return op >= binary_operator::bitwise_and && op <= binary_operator::bitwise_xor;
}

}  // namespace

scalar compute(binary_operator op, scalar x, scalar y, caller where) {
  const bool real = x.is_real() || y.is_real();
  const bool natural = x.type() == scalar::kind::natural || y.type() == scalar::kind::natural;
  if (op == binary_operator::matmul)
    throw error("@ wants arrays, not " + to_string(x) + " and " + to_string(y), where);
  if (x.is_complex() || y.is_complex()) return of_complex(op, x, y, where);
  if (is_comparison(op))
    return real ? compare(op, x.real(), y.real()) : compare(op, rank(x), rank(y));
  if (real || natural || op == binary_operator::divide)
    return of_reals(op, x.real(), y.real(), where);
  const bool truths = x.type() == scalar::kind::truth && y.type() == scalar::kind::truth;
  const auto out = of_integers(op, integer(x), integer(y), where);
  return truths && is_bitwise(op) ? scalar(integer(out) != 0) : out;
}

scalar compute(unary_operator op, scalar x, caller where) {
  if (x.is_complex() && op == unary_operator::negative)
    return std::complex<double>(-x.real(), -x.imaginary());
  switch (op) {
    case unary_operator::negation: return x.attribute(boolean).integer == 0;
    case unary_operator::positive: return x.type() == scalar::kind::truth ? scalar(integer(x)) : x;
    case unary_operator::negative:
      if (x.type() == scalar::kind::natural && integer(x) == INT64_MIN) return INT64_MIN;
      return x.is_real() || x.type() == scalar::kind::natural
                 ? scalar(-x.real())
                 : of_integers(binary_operator::subtract, 0, integer(x), where);
    case unary_operator::invert: break;
  }
  if (x.is_real() || x.is_complex() || x.type() == scalar::kind::natural)
    throw error("only bools and integers of int64 have bits", where);
  return x.type() == scalar::kind::truth ? scalar(integer(x) == 0) : scalar(~integer(x));
}

}  // namespace troupe::language
