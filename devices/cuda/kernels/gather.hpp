// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/cuda/offsets.hpp"

// Preparation of operands for libraries that do not read all layouts.

namespace troupe::cuda {

template <class T>
struct gather_elements {
  const T* from;
  T* to;
  offsets<1> positions;

  TROUPE_BOTH void operator()(std::int64_t i) const { to[i] = from[positions(i)]; }
};

template <class T>
struct clear_elements {
  T* to;

  TROUPE_BOTH void operator()(std::int64_t i) const { to[i] = T(0); }
};

/// Calls `f` with an unsigned integer of two, four or eight bytes.
template <class F>
void visit_size(std::size_t bytes, F&& f) {
  if (bytes == 2) f(std::uint16_t{});
  else if (bytes == 4) f(std::uint32_t{});
  else f(std::uint64_t{});
}

/// Copies the elements, of two bytes or more, in row-major order.
inline void gather(stream& on, const array& from, void* to) {
  visit_size(size_of(from.type), [&](auto zero) {
    using T = decltype(zero);
    for_each(on, from.size(),
             gather_elements<T>{from.as<const T>(), static_cast<T*>(to), offsets_of(from)});
  });
}

/// Sets contiguous elements, of two bytes or more, to 0.
inline void clear(stream& on, const array& out) {
  visit_size(size_of(out.type), [&](auto zero) {
    for_each(on, out.size(), clear_elements<decltype(zero)>{out.as<decltype(zero)>()});
  });
}

/// Rounds a number of bytes up so that what follows is as well aligned.
constexpr std::size_t whole_lines(std::size_t bytes) noexcept { return (bytes + 255) / 256 * 256; }

}  // namespace troupe::cuda
