// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "troupe/devices/array.hpp"
#include "troupe/devices/cuda/grid.hpp"

namespace troupe::cuda {

/// Converts an element as the CPU's conversion loops do: a value that does not fit an integer, and
/// NaN, becomes the smallest one.
template <class To, class From>
TROUPE_BOTH To converted(From x) noexcept {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (is_narrow_float(dtype_of<From>())) return converted<To>(static_cast<float>(x));
  else if constexpr (std::is_same_v<To, bool>) return x != From(0);
  else if constexpr (std::is_floating_point_v<From> && is_narrow(dtype_of<To>()) &&
                     std::is_integral_v<To>) {
    if constexpr (std::is_same_v<To, std::uint32_t>)
      return static_cast<To>(converted<std::int64_t>(x));
    else return static_cast<To>(converted<std::int32_t>(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, std::uint64_t>) {
    return x >= From(0x1p63) && x < From(0x1p64) ? static_cast<To>(x)
                                                 : static_cast<To>(converted<std::int64_t>(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    constexpr From low = sizeof(To) == 4 ? From(-0x1p31) : From(-0x1p63);
    return static_cast<To>((x >= low) & (x < -low) ? x : low);
  } else return static_cast<To>(x);
}

/// Converts a number in the host's memory.
template <class To>
To converted_number(const array& x) noexcept {
  return visit(x.type, [&](auto zero) { return converted<To>(*x.as<const decltype(zero)>()); });
}

}  // namespace troupe::cuda
