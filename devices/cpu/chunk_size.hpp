// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

namespace troupe::cpu_kernels {

/// The elements of an array of `n` that make a chunk: an eighth, so that threads can share small
/// arrays, too, but from `least`, which take microseconds, to `most`.
inline std::int64_t elements_per_chunk(std::int64_t n, std::int64_t least, std::int64_t most) {
  return std::clamp(n / 8 / least * least, least, most);
}

}  // namespace troupe::cpu_kernels
