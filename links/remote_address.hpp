// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace troupe::remote_address {

// Values on other machines have addresses that no memory here has: bit 62, below it the machine's
// number, the place of a device among that machine's, and the number of a byte there: 4 PiB pass
// before one is given twice.
inline constexpr std::uint64_t flag = std::uint64_t{1} << 62;
inline constexpr int node_shift = 56, most_nodes = 63;
inline constexpr int device_shift = 52, most_devices = 16;

inline std::uint64_t number(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address);
}
inline bool is_one(const void* address) noexcept { return (number(address) & flag) != 0; }
inline int node_of(const void* address) noexcept {
  return static_cast<int>(number(address) >> node_shift & most_nodes);
}
inline std::uint8_t device_of(const void* address) noexcept {
  return static_cast<std::uint8_t>(number(address) >> device_shift & (most_devices - 1));
}
/// The address of a byte on a device.
inline void* address_of(int node, std::uint8_t device, std::uint64_t byte) noexcept {
  return reinterpret_cast<void*>(flag | static_cast<std::uint64_t>(node) << node_shift |
                                 static_cast<std::uint64_t>(device) << device_shift |
                                 (byte & ((std::uint64_t{1} << device_shift) - 1)));
}

}  // namespace troupe::remote_address
