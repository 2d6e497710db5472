// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>

#include "troupe/tensor/io/deflate.hpp"

namespace troupe::testing {

/// Returns one member of a gzip file (RFC 1952).
inline std::string gzipped(const std::string& bytes) {
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  deflate({bytes}, [&](std::string_view part) { out += part; });
  const std::uint32_t tail[] = {check_sum(0, bytes), static_cast<std::uint32_t>(bytes.size())};
  return out.append(reinterpret_cast<const char*>(tail), sizeof tail);
}

}  // namespace troupe::testing
