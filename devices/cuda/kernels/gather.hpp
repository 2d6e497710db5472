// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/cuda/offsets.hpp"

// Readying operands for libraries that do not read all layouts.

namespace troupe::cuda {

template <class T>
struct gather_elements {
  const T* from;
  T* to;
  offsets<1> at;

  TROUPE_BOTH void operator()(std::int64_t i) const { to[i] = from[at(i)]; }
};

template <class T>
struct clear_elements {
  T* to;

  TROUPE_BOTH void operator()(std::int64_t i) const { to[i] = T(0); }
};

/// Copies the elements, of four or eight bytes, in row-major order.
inline void gather(stream& on, const array& from, void* to) {
  if (size_of(from.type) == 4)
    for_each(on, from.size(),
             gather_elements<std::uint32_t>{from.as<const std::uint32_t>(),
                                            static_cast<std::uint32_t*>(to), offsets_of(from)});
  else
    for_each(on, from.size(),
             gather_elements<std::uint64_t>{from.as<const std::uint64_t>(),
                                            static_cast<std::uint64_t*>(to), offsets_of(from)});
}

/// Sets elements that lie side by side, of four or eight bytes, to 0.
inline void clear(stream& on, const array& out) {
  if (size_of(out.type) == 4)
    for_each(on, out.size(), clear_elements<std::uint32_t>{out.as<std::uint32_t>()});
  else for_each(on, out.size(), clear_elements<std::uint64_t>{out.as<std::uint64_t>()});
}

/// Bytes of memory so that what follows is as well aligned.
constexpr std::size_t whole_lines(std::size_t bytes) noexcept { return (bytes + 255) / 256 * 256; }

}  // namespace troupe::cuda
