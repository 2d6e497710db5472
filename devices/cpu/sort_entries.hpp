// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/sort_key.hpp"

/// Entries that the CPU's sorts move: keys alone, or keys with the places that they come from.
/// Those with places all differ, so any sort of them is stable.

namespace troupe::cpu_kernels {

inline constexpr int digit_bits = 8;
inline constexpr std::int64_t digit_values = std::int64_t{1} << digit_bits;

template <class Key>
constexpr std::int64_t digit_of(Key key, int number) noexcept {
  return static_cast<std::int64_t>(key >> (digit_bits * number) &
                                   static_cast<Key>(digit_values - 1));
}

/// A key of 32 bits and a place below 2^32.
struct short_place {
  std::uint64_t bits;

  bool operator<(const short_place& other) const noexcept { return bits < other.bits; }
};

/// A key of up to 64 bits and a place.
struct long_place {
  std::uint64_t key;
  std::int64_t place;

  bool operator<(const long_place& other) const noexcept {
    return key < other.key || (key == other.key && place < other.place);
  }
};

/// Sort of elements.
template <class T>
struct sorting_values {
  using element = T;
  using entry = typename sort_key<T>::key;
  using result = T;
  static constexpr int digits = sort_key<T>::bits / digit_bits;

  sort_key<T> keys;

  entry make(T x, std::int64_t) const noexcept { return keys.of(x); }
  result result_of(entry e) const noexcept { return keys.element(e); }
  static std::int64_t digit(entry e, int number) noexcept { return digit_of(e, number); }
};

/// Sort of the places of elements.
template <class T, class Entry>
struct sorting_places {
  using element = T;
  using entry = Entry;
  using result = std::int64_t;
  static constexpr int digits = sort_key<T>::bits / digit_bits;
  static constexpr bool is_short = sizeof(entry) == sizeof(std::uint64_t);
  static constexpr int place_bits = 32;

  sort_key<T> keys;

  entry make(T x, std::int64_t place) const noexcept {
    const std::uint64_t key = keys.rank(x);
    if constexpr (is_short) return {key << place_bits | static_cast<std::uint64_t>(place)};
    else return {key, place};
  }
  result result_of(const entry& e) const noexcept {
    if constexpr (is_short) return static_cast<std::int64_t>(e.bits & 0xffffffff);
    else return e.place;
  }
  /// Returns an element of the same rank.
  T element_of(const entry& e) const noexcept {
    using key = typename sort_key<T>::key;
    if constexpr (is_short) return keys.element(static_cast<key>(e.bits >> place_bits));
    else return keys.element(static_cast<key>(e.key));
  }
  static std::int64_t digit(const entry& e, int number) noexcept {
    if constexpr (is_short) return digit_of(e.bits, number + place_bits / digit_bits);
    else return digit_of(e.key, number);
  }
};

}  // namespace troupe::cpu_kernels
