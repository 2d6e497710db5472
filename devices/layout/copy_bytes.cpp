// SPDX-License-Identifier: MIT
#include "troupe/devices/layout/copy_bytes.hpp"

#include <cstdint>
#include <cstring>

namespace troupe {

void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096, line = 64;
  constexpr std::size_t shortest =
      2048;  // std::memcpy takes an instruction for strings from here on
  const auto apart =
      (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
  if (apart == 0 || apart >= line || bytes < shortest) {
    std::memcpy(to, from, bytes);
    return;
  }
  // From the end: what is read next never looks like what was just written.
  auto left = bytes;
  for (; left >= line; left -= line) {
    std::byte some[line];
    std::memcpy(some, static_cast<const std::byte*>(from) + left - line, line);
    std::memcpy(static_cast<std::byte*>(to) + left - line, some, line);
  }
  std::memcpy(to, from, left);
}

}  // namespace troupe
