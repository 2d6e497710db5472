// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/language/evaluator/word.hpp"

/// Common parts of words that reduce axes.

namespace troupe::language {

inline constexpr std::string_view over_axes = "x, axis: axes = none, keepdims: flag = false";
inline constexpr std::string_view spread =
    "x, axis: axes = none, ddof: integer = 0, keepdims: flag = false";

/// Calls a function with what `over_axes` describes.
template <auto function>
dynamic_value reduce(const arguments& a) {
  return function(a.array(0), a.axes(1), a.flag(2), a.where());
}

/// Calls a function with what `spread` describes.
template <auto function>
dynamic_value measure_spread(const arguments& a) {
  return function(a.array(0), a.axes(1), a.small_integer(2), a.flag(3), a.where());
}

}  // namespace troupe::language
