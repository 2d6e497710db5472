// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace troupe {

/// Order of elements, as that of unsigned numbers, their keys: ascending or descending, NaN last in
/// both. The kernels of all devices sort keys.
template <class T>
struct sort_key {
  using key = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

  static constexpr int bits = 8 * static_cast<int>(sizeof(T));  ///< that differ, the lowest ones
  static constexpr key top = key{1} << (8 * sizeof(key) - 1);

  bool descending = false;

  /// Returns a key that differs for 0 and -0, so that `element` gives the same bits back.
  constexpr key of(T x) const noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      if (x != x) return ~key{0};
      const auto raw = std::bit_cast<key>(x);
      return turned((raw & top) != 0 ? ~raw : raw | top);
    } else if constexpr (std::is_same_v<T, bool>) {
      return turned(x ? 1 : 0);
    } else {
      return turned(static_cast<key>(x) ^ sign);
    }
  }
  /// Returns a key that is equal for elements that compare equal.
  constexpr key rank(T x) const noexcept {
    if constexpr (std::is_floating_point_v<T>) return of(x + T(0));
    else return of(x);
  }
  /// Returns the element of a key: one NaN for all.
  constexpr T element(key k) const noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      if (k == ~key{0}) return std::bit_cast<T>(not_a_number);
      k = turned(k);
      return std::bit_cast<T>((k & top) != 0 ? k ^ top : ~k);
    } else if constexpr (std::is_same_v<T, bool>) {
      return turned(k) != 0;
    } else {
      return static_cast<T>(turned(k) ^ sign);
    }
  }

 private:
  static constexpr key sign = std::is_signed_v<T> ? top : 0;
  static constexpr key not_a_number =
      static_cast<key>(sizeof(T) == 8 ? std::uint64_t{0x7ff8} << 48 : std::uint64_t{0x7fc0} << 16);

  constexpr key turned(key k) const noexcept { return descending ? ~k : k; }
};

}  // namespace troupe
