// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "troupe/devices/cuda/grid.hpp"

namespace troupe::cuda {

/// Neighbouring elements that are read or written together, at most 16 bytes at a time.
template <class T, int Count>
struct [[gnu::may_alias]] alignas(Count * sizeof(T) < 16 ? Count * sizeof(T) : 16) pack {
  T elements[Count];
};

/// Returns true if the address is aligned for packs.
template <class T, int Count>
TROUPE_BOTH bool packable(const T* at) noexcept {
  return reinterpret_cast<std::uintptr_t>(at) % alignof(pack<T, Count>) == 0;
}

// The compiler combines accesses of several words, but not of several bytes.
template <int Count>
using word_of_bytes = std::conditional_t<Count % 4 == 0, std::uint32_t, std::uint16_t>;

template <int Count, class T>
TROUPE_BOTH void read_pack(T* to, const T* from) noexcept {
  if constexpr (sizeof(T) == 1) {
    using word = word_of_bytes<Count>;
    constexpr int words = Count / static_cast<int>(sizeof(word));
    const auto p = *reinterpret_cast<const pack<word, words>*>(from);
    for (int k = 0; k < words; ++k) {
      for (int j = 0; j < static_cast<int>(sizeof(word)); ++j)
        *to++ = static_cast<T>(p.elements[k] >> 8 * j & 0xff);
    }
  } else {
    const auto p = *reinterpret_cast<const pack<T, Count>*>(from);
    for (int j = 0; j < Count; ++j) to[j] = p.elements[j];
  }
}

template <int Count, class T>
TROUPE_BOTH void write_pack(T* to, const T* from) noexcept {
  if constexpr (sizeof(T) == 1) {
    using word = word_of_bytes<Count>;
    constexpr int words = Count / static_cast<int>(sizeof(word));
    pack<word, words> p{};
    for (int k = 0; k < words; ++k) {
      for (int j = 0; j < static_cast<int>(sizeof(word)); ++j)
        p.elements[k] = static_cast<word>(p.elements[k] | std::uint32_t{*from++} << 8 * j);
    }
    *reinterpret_cast<pack<word, words>*>(to) = p;
  } else {
    pack<T, Count> p;
    for (int j = 0; j < Count; ++j) p.elements[j] = from[j];
    *reinterpret_cast<pack<T, Count>*>(to) = p;
  }
}

}  // namespace troupe::cuda
