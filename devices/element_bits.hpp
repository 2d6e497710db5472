// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace troupe {

/// The bits of a complex128, to be moved.
struct bits128 {
  std::uint64_t words[2];
};

/// Calls `f` with a value of the type that elements of some bytes are moved as:
/// `visit_bits(size_of(t), [&](auto zero) { using T = decltype(zero); ... })`.
template <class F>
constexpr decltype(auto) visit_bits(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: return f(bits128{});
  }
}

}  // namespace troupe
