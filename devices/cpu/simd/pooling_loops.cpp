// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/pooling_loops.hpp"

namespace troupe::TROUPE_ISA {

namespace {

struct greater {
  template <class T>
  static T of(T most, T x) noexcept {
    return (x > most) | (x != x) ? x : most;
  }
};

struct sum {
  template <class T>
  static T of(T a, T b) noexcept {
    return a + b;
  }
};

template <class F, class T>
void combine_rows(T* out, const T* from, std::int64_t rows, std::int64_t step, std::int64_t n) {
  if (rows == 1) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) out[i] = from[i];
    return;
  }
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = F::of(from[i], from[i + step]);
  for (std::int64_t row = 2; row < rows; ++row) {
    const T* const x = from + row * step;
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) out[i] = F::of(out[i], x[i]);
  }
}

/// With `stride` or `size` a constant, the compiler turns this into vectors.
template <class F, class T>
inline __attribute__((always_inline)) void combine_windows_of(T* out, const T* from,
                                                              std::int64_t size,
                                                              std::int64_t stride, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = from[i * stride];
  for (std::int64_t k = 1; k < size; ++k) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) out[i] = F::of(out[i], from[i * stride + k]);
  }
}

template <class F, class T>
void combine_windows(T* out, const T* from, std::int64_t size, std::int64_t stride,
                     std::int64_t n) {
  if (size == 2 && stride == 2) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) out[i] = F::of(from[2 * i], from[2 * i + 1]);
  } else if (stride == 1) {
    combine_windows_of<F>(out, from, size, 1, n);
  } else if (stride == 2) {
    combine_windows_of<F>(out, from, size, 2, n);
  } else {
    combine_windows_of<F>(out, from, size, stride, n);
  }
}

/// Taken apart first, as the compiler makes no vectors of all this at once.
template <int Block, class T>
inline __attribute__((always_inline)) void spread_block(T* top, T* bottom, const T* above,
                                                        const T* below, const T* g,
                                                        std::int64_t n) {
  T a[Block], b[Block], c[Block], d[Block];
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) a[i] = above[2 * i], b[i] = above[2 * i + 1];
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) c[i] = below[2 * i], d[i] = below[2 * i + 1];
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const T ab = greater::of(a[i], b[i]), abc = greater::of(ab, c[i]);
    const auto at_d = (d[i] > abc) | (d[i] != d[i]), at_c = (c[i] > ab) | (c[i] != c[i]),
               at_b = (b[i] > a[i]) | (b[i] != b[i]);
    const T not_d = at_d ? T(0) : g[i], not_c = at_c ? T(0) : not_d;
    d[i] = at_d ? g[i] : T(0);
    c[i] = at_c ? not_d : T(0);
    b[i] = at_b ? not_c : T(0);
    a[i] = at_b ? T(0) : not_c;
  }
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) top[2 * i] = a[i], top[2 * i + 1] = b[i];
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) bottom[2 * i] = c[i], bottom[2 * i + 1] = d[i];
}

/// In blocks, the last of which may overlap the one before.
template <int Block, class T>
void spread_blocks(T* const out[2], const T* const from[2], const T* g, std::int64_t n) {
  for (std::int64_t next = 0; next < n; next += Block) {
    const std::int64_t i = next + Block <= n ? next : n - Block;
    spread_block<Block>(out[0] + 2 * i, out[1] + 2 * i, from[0] + 2 * i, from[1] + 2 * i, g + i,
                        Block);
  }
}

template <class T>
void spread_to_greatest(T* const out[2], const T* const from[2], const T* g, std::int64_t n) {
  if (n >= 16) spread_blocks<16>(out, from, g, n);
  else if (n >= 8) spread_blocks<8>(out, from, g, n);
  else if (n >= 4) spread_blocks<4>(out, from, g, n);
  else spread_block<4>(out[0], out[1], from[0], from[1], g, n);
}

template <class T>
void repeat_pairs(T* out, const T* g, T scale, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const T x = g[i] * scale;
    out[2 * i] = x;
    out[2 * i + 1] = x;
  }
}

template <class T>
constexpr pooling_loops<T> loops_of = {
    .max_rows = combine_rows<greater, T>,
    .sum_rows = combine_rows<sum, T>,
    .max_windows = combine_windows<greater, T>,
    .sum_windows = combine_windows<sum, T>,
    .spread_to_greatest = spread_to_greatest<T>,
    .repeat_pairs = repeat_pairs<T>,
};

}  // namespace

constexpr pooling_table pools = {loops_of<float>, loops_of<double>};

}  // namespace troupe::TROUPE_ISA
