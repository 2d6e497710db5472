// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/simd/loops.hpp"

namespace troupe::cpu_kernels {

/// The steps of softmax for one dtype; `out` may be `in`.
struct softmax_loops {
  static constexpr std::int64_t widest = 256, longest_short = 15;

  /// Over n neighbouring elements.
  void (*row)(void* out, const void* in, std::int64_t n);
  /// Over each of several neighbouring rows of n elements, at most `longest_short`.
  void (*short_rows)(void* out, const void* in, std::int64_t rows, std::int64_t n);
  /// Over each of `width` neighbouring columns, at most `widest`; rows are `step` elements apart.
  void (*columns)(void* out, const void* in, std::int64_t step, std::int64_t rows,
                  std::int64_t width);
};

struct softmax_table {
  softmax_loops softmax[dtype_count];
  softmax_loops log_softmax[dtype_count];
};

TROUPE_DECLARE_TABLE(softmax_table, normalizers)

}  // namespace troupe::cpu_kernels
