// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace troupe::remote_address {

// Values on other machines have addresses that no memory here has: bit 62, the machine's number
// below it, and a number that is not given twice in months.
inline constexpr std::uint64_t flag = std::uint64_t{1} << 62;
inline constexpr int node_shift = 56;
inline constexpr int most_nodes = 63;

inline std::uint64_t number(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address);
}
inline bool is_one(const void* address) noexcept { return (number(address) & flag) != 0; }
inline int node_of(const void* address) noexcept {
  return static_cast<int>(number(address) >> node_shift & most_nodes);
}
constexpr std::uint64_t first_of(int node) noexcept {
  return flag | static_cast<std::uint64_t>(node) << node_shift;
}

}  // namespace troupe::remote_address
