// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "troupe/devices/cpu/simd/loops.hpp"

namespace troupe::cpu_kernels {

/// The parts of pools: windows are first combined down their columns, then along their rows.
template <class T>
struct pooling_loops {
  /// out[i] = from[i], from[i + step], ... combined, for i < n and so many rows, at least one.
  using row_loop = void (*)(T* out, const T* from, std::int64_t rows, std::int64_t step,
                            std::int64_t n);
  /// out[i] = from[i * stride], from[i * stride + 1], ... combined, for i < n and `size` of them,
  /// at least one.
  using window_loop = void (*)(T* out, const T* from, std::int64_t size, std::int64_t stride,
                               std::int64_t n);
  row_loop max_rows, sum_rows;
  window_loop max_windows, sum_windows;

  /// Windows of 2 x 2 side by side, the usual ones: `rows` of `n` of them in an image whose rows
  /// are `width` elements.
  struct pairs {
    T* out;
    const T* image;
    const T* arriving;  ///< for the gradient
    std::int64_t rows, width, n;
  };
  void (*max_pairs)(const pairs& p);
  void (*sum_pairs)(const pairs& p);
  /// The gradient of max_pairs: what arrives for a window goes to its first greatest, zeros go to
  /// the others.
  void (*spread_pairs)(const pairs& p);
  /// out[2 * i] = out[2 * i + 1] = g[i] * scale for i < n.
  void (*repeat_pairs)(T* out, const T* g, T scale, std::int64_t n);
};

struct pooling_table {
  pooling_loops<float> single;
  pooling_loops<double> wide;
};

TROUPE_DECLARE_TABLE(pooling_table, pools)

/// The loops for T and this CPU.
template <class T>
const pooling_loops<T>& select_pooling_loops() noexcept {
  const pooling_table& table = TROUPE_SELECT(pools);
  if constexpr (std::is_same_v<T, float>) return table.single;
  else return table.wide;
}

}  // namespace troupe::cpu_kernels
