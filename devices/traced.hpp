// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "troupe/devices/element_expression.hpp"

namespace troupe {

template <class E>
class traced;

namespace tracing {

/// The type that C++ computes in for numbers of type E.
template <class E>
using promoted = std::conditional_t<std::is_same_v<E, bool>, std::int32_t, E>;

template <class E>
std::uint64_t bits_of(E x) noexcept {
  if constexpr (std::is_same_v<E, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<E, double>) return std::bit_cast<std::uint64_t>(x);
  else return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<promoted<E>>>(x));
}

/// Adds an operation on traced numbers to their expression.
template <class R, class First, class... Rest>
traced<R> made(primitive what, std::uint64_t bits, First x, Rest... rest) noexcept {
  auto* in = x.in();
  ((in = in ? in : rest.in()), ...);
  if (!in) std::abort();  // no row computes with known numbers alone
  return {*in, in->add({what, dtype_of<R>(), {x.node(*in), rest.node(*in)...}, bits})};
}

}  // namespace tracing

/// Number of type E that is not known: what is done with it is added to an expression. The forward
/// expressions of elementwise.def and the templates of scalar_functions.hpp take it for their T.
template <class E>
class traced {
 public:
  /// Numbers that are known become part of an expression when they meet one that is not.
  traced(int value) noexcept : value_(static_cast<E>(value)) {}
  explicit traced(double value) noexcept : value_(static_cast<E>(value)) {}
  traced(element_expression& in, std::int16_t node) noexcept : in_(&in), node_(node) {}
  template <class From>
  explicit(!std::is_same_v<E, tracing::promoted<From>>) traced(traced<From> x) noexcept
      : traced(converted(x)) {}

  element_expression* in() const noexcept { return in_; }
  std::int16_t node(element_expression& of) const noexcept {
    if (in_) return node_;
    return of.add({primitive::constant, dtype_of<E>(), {}, tracing::bits_of(value_)});
  }
  /// True for a number that is known, and this one.
  bool is(E value) const noexcept { return !in_ && value_ == value; }
  /// The number, if it is known.
  E value() const noexcept { return value_; }

  friend auto operator+(traced x, traced y) noexcept { return both(primitive::add, x, y); }
  friend auto operator-(traced x, traced y) noexcept { return both(primitive::subtract, x, y); }
  friend auto operator*(traced x, traced y) noexcept { return both(primitive::multiply, x, y); }
  friend auto operator/(traced x, traced y) noexcept { return both(primitive::divide, x, y); }
  friend auto operator-(traced x) noexcept {
    return tracing::made<number>(primitive::negate, 0, traced<number>(x));
  }

  friend traced<bool> operator==(traced x, traced y) noexcept {
    if constexpr (std::is_same_v<E, bool>) return !(x != y);
    else return tracing::made<bool>(primitive::equal, 0, x, y);
  }
  friend traced<bool> operator!=(traced x, traced y) noexcept {
    if constexpr (std::is_same_v<E, bool>) return y.is(false) ? x : x ^ y;
    else return tracing::made<bool>(primitive::not_equal, 0, x, y);
  }
  friend traced<bool> operator<(traced x, traced y) noexcept {
    return tracing::made<bool>(primitive::less, 0, traced<number>(x), traced<number>(y));
  }
  friend traced<bool> operator<=(traced x, traced y) noexcept {
    return tracing::made<bool>(primitive::less_equal, 0, traced<number>(x), traced<number>(y));
  }
  friend traced<bool> operator>(traced x, traced y) noexcept { return y < x; }
  friend traced<bool> operator>=(traced x, traced y) noexcept { return y <= x; }

  friend traced operator&(traced x, traced y) noexcept requires(!std::is_floating_point_v<E>) {
    return tracing::made<E>(primitive::bit_and, 0, x, y);
  }
  friend traced operator|(traced x, traced y) noexcept requires(!std::is_floating_point_v<E>) {
    return tracing::made<E>(primitive::bit_or, 0, x, y);
  }
  friend traced operator^(traced x, traced y) noexcept requires(!std::is_floating_point_v<E>) {
    return tracing::made<E>(primitive::bit_xor, 0, x, y);
  }
  friend traced bitwise_not(traced x) noexcept requires(!std::is_floating_point_v<E>) {
    return tracing::made<E>(primitive::bit_not, 0, x);
  }
  friend traced operator!(traced x) noexcept requires(std::is_same_v<E, bool>) {
    return bitwise_not(x);
  }

  friend traced choose(traced<bool> condition, traced x, traced y) noexcept {
    return tracing::made<E>(primitive::choose, 0, condition, x, y);
  }
  friend traced select(traced<bool> condition, traced x, traced y) noexcept {
    return choose(condition, x, y);
  }

 private:
  using number = tracing::promoted<E>;

  static auto both(primitive what, traced x, traced y) noexcept {
    return tracing::made<number>(what, 0, traced<number>(x), traced<number>(y));
  }

  template <class From>
  static traced converted(traced<From> x) noexcept {
    traced known(0);
    known.value_ = static_cast<E>(x.value());
    if (!x.in()) return known;
    if constexpr (std::is_same_v<E, bool>) return x != traced<From>(0);
    else return tracing::made<E>(primitive::convert, 0, x);
  }

  element_expression* in_ = nullptr;
  std::int16_t node_ = expression_node::none;
  E value_{};
};

// The functions that scalar_functions.hpp has for floats alone. Templates there mean other numbers:
// these are more special, and thereby chosen.

#define TROUPE_TRACED(name, primitive_)                            \
  template <class E>                                               \
  requires std::is_floating_point_v<E> traced<E> name(traced<E> x) \
  noexcept { return tracing::made<E>(primitive::primitive_, 0, x); }
TROUPE_TRACED(sqrt, square_root)
TROUPE_TRACED(abs, absolute)
TROUPE_TRACED(floor, floor)
TROUPE_TRACED(ceil, ceil)
TROUPE_TRACED(rint, rint)
TROUPE_TRACED(trunc, trunc)
#undef TROUPE_TRACED

#define TROUPE_MATH_1(name)                                        \
  template <class E>                                               \
  requires std::is_floating_point_v<E> traced<E> name(traced<E> x) \
  noexcept { return tracing::made<E>(primitive::call, std::uint64_t(math_function::name), x); }
#define TROUPE_MATH_2(name)                                                     \
  template <class E>                                                            \
  requires std::is_floating_point_v<E> traced<E> name(traced<E> x, traced<E> y) \
  noexcept { return tracing::made<E>(primitive::call, std::uint64_t(math_function::name), x, y); }
#include "troupe/devices/math_functions.def"

/// Stands for what has branches: loops, divisions of integers, functions that no vector library
/// has.
template <class E>
traced<E> not_traced(traced<E> x, traced<E>) noexcept {
  x.in()->refuse();
  return x;
}

#define TROUPE_NOT_TRACED(name)                       \
  template <class E>                                  \
  traced<E> name(traced<E> x, traced<E> y) noexcept { \
    return not_traced(x, y);                          \
  }
TROUPE_NOT_TRACED(fmod)
TROUPE_NOT_TRACED(remainder)
TROUPE_NOT_TRACED(floor_divide)
TROUPE_NOT_TRACED(left_shift)
TROUPE_NOT_TRACED(right_shift)
TROUPE_NOT_TRACED(copysign)
TROUPE_NOT_TRACED(nextafter)
#undef TROUPE_NOT_TRACED
template <class E>
requires std::is_floating_point_v<E> traced<E> lgamma(traced<E> x)
noexcept { return not_traced(x, x); }
template <class E>
requires std::is_floating_point_v<E> traced<bool> signbit(traced<E> x)
noexcept { return not_traced(x, x) < traced<E>(0); }
template <class E>
traced<E> power(traced<E> x, traced<E> y) noexcept {
  if constexpr (std::is_floating_point_v<E>) return pow(x, y);
  else return not_traced(x, y);
}

}  // namespace troupe
