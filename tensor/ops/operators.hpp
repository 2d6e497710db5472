// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace detail {

/// A tensor in an expression, or what holds one, and where in the user's program that is.
struct located {
  located(const tensor& x, caller at = caller::current()) noexcept : array(x), call_site(at) {}
  template <class Holder>
  requires requires(const Holder& x) {
    { x.operator const tensor&() } -> std::same_as<const tensor&>;
  }
  located(const Holder& x, caller at = caller::current())
      : array(x.operator const tensor&()), call_site(at) {}

  const tensor& array;
  caller call_site;
};

/// A number in an expression, and where in the user's program that is.
struct located_scalar {
  located_scalar(scalar x, caller at = caller::current()) noexcept : number(x), call_site(at) {}
  template <arithmetic T>
  located_scalar(T x, caller at = caller::current()) noexcept : number(x), call_site(at) {}

  scalar number;
  caller call_site;
};

}  // namespace detail

#define TROUPE_OPERATOR(sign, function)                             \
  inline tensor operator sign(detail::located x, const tensor& y) { \
    return function(x.array, y, x.call_site);                       \
  }                                                                 \
  inline tensor operator sign(detail::located x, scalar y) {        \
    return function(x.array, y, x.call_site);                       \
  }                                                                 \
  inline tensor operator sign(scalar x, detail::located y) {        \
    return function(x, y.array, y.call_site);                       \
  }
TROUPE_OPERATOR(+, add)
TROUPE_OPERATOR(-, subtract)
TROUPE_OPERATOR(*, multiply)
TROUPE_OPERATOR(/, divide)
TROUPE_OPERATOR(%, remainder)
TROUPE_OPERATOR(&, bitwise_and)
TROUPE_OPERATOR(|, bitwise_or)
TROUPE_OPERATOR(^, bitwise_xor)
TROUPE_OPERATOR(<<, bitwise_left_shift)
TROUPE_OPERATOR(>>, bitwise_right_shift)
TROUPE_OPERATOR(==, equal)
TROUPE_OPERATOR(!=, not_equal)
TROUPE_OPERATOR(<, less)
TROUPE_OPERATOR(<=, less_equal)
TROUPE_OPERATOR(>, greater)
TROUPE_OPERATOR(>=, greater_equal)
#undef TROUPE_OPERATOR

inline tensor operator-(detail::located x) { return negative(x.array, x.call_site); }
inline tensor operator!(detail::located x) { return logical_not(x.array, x.call_site); }
inline tensor operator~(detail::located x) { return bitwise_not(x.array, x.call_site); }

// The elements never change: `x += y` makes x name the sum.
#define TROUPE_ASSIGNMENT(sign, function)                             \
  inline tensor& operator sign(tensor& x, detail::located y) {        \
    return x = function(x, y.array, y.call_site);                     \
  }                                                                   \
  inline tensor& operator sign(tensor& x, detail::located_scalar y) { \
    return x = function(x, y.number, y.call_site);                    \
  }
TROUPE_ASSIGNMENT(+=, add)
TROUPE_ASSIGNMENT(-=, subtract)
TROUPE_ASSIGNMENT(*=, multiply)
TROUPE_ASSIGNMENT(/=, divide)
#undef TROUPE_ASSIGNMENT

}  // namespace troupe
