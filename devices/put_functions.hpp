// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>

#include "troupe/devices/attributes.hpp"

namespace troupe {

/// Returns what an element becomes when another is put there. Integers wrap; sums of bool are "or",
/// their products "and"; NaN has the last word in the extremes.
template <put_op Op, class T>
constexpr T put_into(T x, T given) noexcept {
  if constexpr (Op == put_op::set) return given;
  else if constexpr (Op == put_op::maximum) return x > given || x != x ? x : given;
  else if constexpr (Op == put_op::minimum) return x < given || x != x ? x : given;
  else if constexpr (std::is_same_v<T, bool>) return Op == put_op::add ? x || given : x && given;
  else if constexpr (std::integral<T>) {
    using wrapping = std::make_unsigned_t<T>;
    const auto a = static_cast<wrapping>(x), b = static_cast<wrapping>(given);
    return static_cast<T>(Op == put_op::add ? a + b : a * b);
  } else return Op == put_op::add ? x + given : x * given;
}

}  // namespace troupe
