// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "troupe/devices/cuda/grid.hpp"

/// Types in which the forward expressions of elementwise.def are computed on a GPU, where C++'s own
/// types differ from those of the CPU's loops.

namespace troupe::cuda {

/// Integer whose sums and products wrap, even where signed overflow is undefined.
template <class T>
struct wrapping {
  using bits = std::make_unsigned_t<T>;

  T value;

  TROUPE_BOTH constexpr wrapping(T x) noexcept : value(x) {}
  TROUPE_BOTH constexpr explicit operator T() const noexcept { return value; }
  TROUPE_BOTH constexpr explicit operator bool() const noexcept { return value != 0; }

  TROUPE_BOTH friend constexpr wrapping operator+(wrapping a, wrapping b) noexcept {
    return static_cast<T>(static_cast<bits>(a.value) + static_cast<bits>(b.value));
  }
  TROUPE_BOTH friend constexpr wrapping operator-(wrapping a, wrapping b) noexcept {
    return static_cast<T>(static_cast<bits>(a.value) - static_cast<bits>(b.value));
  }
  TROUPE_BOTH friend constexpr wrapping operator*(wrapping a, wrapping b) noexcept {
    return static_cast<T>(static_cast<bits>(a.value) * static_cast<bits>(b.value));
  }
  TROUPE_BOTH constexpr wrapping operator-() const noexcept { return wrapping(T(0)) - *this; }

  // The caller ensures that the quotient fits.
  TROUPE_BOTH friend constexpr wrapping operator/(wrapping a, wrapping b) noexcept {
    return a.value / b.value;
  }
  TROUPE_BOTH friend constexpr wrapping operator%(wrapping a, wrapping b) noexcept {
    return a.value % b.value;
  }

  TROUPE_BOTH constexpr wrapping operator~() const noexcept { return ~value; }
  TROUPE_BOTH friend constexpr wrapping operator&(wrapping a, wrapping b) noexcept {
    return a.value & b.value;
  }
  TROUPE_BOTH friend constexpr wrapping operator|(wrapping a, wrapping b) noexcept {
    return a.value | b.value;
  }
  TROUPE_BOTH friend constexpr wrapping operator^(wrapping a, wrapping b) noexcept {
    return a.value ^ b.value;
  }
  TROUPE_BOTH friend constexpr wrapping operator>>(wrapping a, int by) noexcept {
    return a.value >> by;
  }
  TROUPE_BOTH friend constexpr wrapping operator>>(wrapping a, wrapping by) noexcept {
    return a.value >> by.value;
  }
  TROUPE_BOTH friend constexpr wrapping operator<<(wrapping a, wrapping by) noexcept {
    return static_cast<T>(static_cast<bits>(a.value) << by.value);
  }

  TROUPE_BOTH friend constexpr bool operator==(wrapping a, wrapping b) noexcept {
    return a.value == b.value;
  }
  TROUPE_BOTH friend constexpr bool operator<(wrapping a, wrapping b) noexcept {
    return a.value < b.value;
  }
  TROUPE_BOTH friend constexpr bool operator>(wrapping a, wrapping b) noexcept { return b < a; }
  TROUPE_BOTH friend constexpr bool operator<=(wrapping a, wrapping b) noexcept { return !(b < a); }
  TROUPE_BOTH friend constexpr bool operator>=(wrapping a, wrapping b) noexcept { return !(a < b); }
};

/// Converts an element to the type that an expression takes.
template <class T>
TROUPE_BOTH auto in_expression(T x) noexcept {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return wrapping<T>(x);
  else return x;
}

}  // namespace troupe::cuda
