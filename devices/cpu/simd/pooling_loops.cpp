// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/pooling_loops.hpp"

#include <utility>

#include "troupe/devices/cpu/simd/vectors.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

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
  if (stride == 1) {
    combine_windows_of<F>(out, from, size, 1, n);
  } else if (stride == 2) {
    combine_windows_of<F>(out, from, size, 2, n);
  } else {
    combine_windows_of<F>(out, from, size, stride, n);
  }
}

// Elements with even numbers, those with odd ones, and back.

template <class V, int... I>
V even(V a, V b, std::integer_sequence<int, I...>) noexcept {
  return __builtin_shufflevector(a, b, (2 * I)...);
}
template <class V, int... I>
V odd(V a, V b, std::integer_sequence<int, I...>) noexcept {
  return __builtin_shufflevector(a, b, (2 * I + 1)...);
}
template <int First, class V, int... I>
V zip(V a, V b, std::integer_sequence<int, I...>) noexcept {
  constexpr int n = sizeof...(I);
  return __builtin_shufflevector(a, b, ((First + I) / 2 + (First + I) % 2 * n)...);
}

// A step makes some windows side by side: number `window` of all, whose upper row starts at number
// `at` in the image.

template <class F, class T>
struct combine_step {
  template <int Bytes>
  static void run(const typename pooling_loops<T>::pairs& p, std::int64_t window,
                  std::int64_t at) noexcept {
    constexpr int n = length_of<T, Bytes>;
    constexpr std::make_integer_sequence<int, n> all;
    const T *const above = p.image + at, *const below = above + p.width;
    const auto left = F::of(load<T, Bytes>(above), load<T, Bytes>(below));
    const auto right = F::of(load<T, Bytes>(above + n), load<T, Bytes>(below + n));
    store(p.out + window, F::of(even(left, right, all), odd(left, right, all)));
  }

  static void run_one(const typename pooling_loops<T>::pairs& p, std::int64_t window,
                      std::int64_t at) noexcept {
    const T *const above = p.image + at, *const below = above + p.width;
    p.out[window] = F::of(F::of(above[0], below[0]), F::of(above[1], below[1]));
  }
};

template <class T>
struct spread_step {
  template <int Bytes>
  static void run(const typename pooling_loops<T>::pairs& p, std::int64_t window,
                  std::int64_t at) noexcept {
    using numbers = vector<T, Bytes>;
    constexpr int n = length_of<T, Bytes>;
    constexpr std::make_integer_sequence<int, n> all;
    const T *const above = p.image + at, *const below = above + p.width;
    const auto top = load<T, Bytes>(above), top_right = load<T, Bytes>(above + n);
    const auto bottom = load<T, Bytes>(below), bottom_right = load<T, Bytes>(below + n);
    const auto a = even(top, top_right, all), b = odd(top, top_right, all);
    const auto c = even(bottom, bottom_right, all), d = odd(bottom, bottom_right, all);
    const auto ab = greater::of(a, b), abc = greater::of(ab, c);
    const auto at_b = (b > a) | (b != b), at_c = (c > ab) | (c != c), at_d = (d > abc) | (d != d);
    const numbers g = load<T, Bytes>(p.arriving + window), none{};
    const numbers not_d = at_d ? none : g, not_c = at_c ? none : not_d;
    const numbers to_a = at_b ? none : not_c, to_b = at_b ? not_c : none;
    const numbers to_c = at_c ? not_d : none, to_d = at_d ? g : none;
    T* const out = p.out + at;
    store(out, zip<0>(to_a, to_b, all));
    store(out + n, zip<n>(to_a, to_b, all));
    store(out + p.width, zip<0>(to_c, to_d, all));
    store(out + p.width + n, zip<n>(to_c, to_d, all));
  }

  static void run_one(const typename pooling_loops<T>::pairs& p, std::int64_t window,
                      std::int64_t at) noexcept {
    const std::int64_t places[] = {at, at + 1, at + p.width, at + p.width + 1};
    std::int64_t found = at;
    for (const std::int64_t place : places) {
      if (p.image[place] > p.image[found] || p.image[place] != p.image[place]) found = place;
      p.out[place] = T(0);
    }
    p.out[found] = p.arriving[window];
  }
};

/// Rows of at least as many windows as a vector has elements. The last step of a row may overlap
/// the one before.
template <class Step, int Bytes, class T>
void by_vectors(const typename pooling_loops<T>::pairs& p) {
  constexpr int length = length_of<T, Bytes>;
  for (std::int64_t row = 0; row < p.rows; ++row) {
    for (std::int64_t next = 0; next < p.n; next += length) {
      const std::int64_t i = next + length <= p.n ? next : p.n - length;
      Step::template run<Bytes>(p, row * p.n + i, 2 * (row * p.width + i));
    }
  }
}

template <class Step, class T>
void over_pairs(const typename pooling_loops<T>::pairs& p) {
  if (p.n >= length_of<T>) return by_vectors<Step, vector_bytes, T>(p);
  if constexpr (vector_bytes > 32) {
    if (p.n >= length_of<T, 32>) return by_vectors<Step, 32, T>(p);
  }
  if constexpr (vector_bytes > 16) {
    if (p.n >= length_of<T, 16>) return by_vectors<Step, 16, T>(p);
  }
  for (std::int64_t row = 0; row < p.rows; ++row) {
    for (std::int64_t i = 0; i < p.n; ++i) Step::run_one(p, row * p.n + i, 2 * (row * p.width + i));
  }
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
    .max_pairs = over_pairs<combine_step<greater, T>, T>,
    .sum_pairs = over_pairs<combine_step<sum, T>, T>,
    .spread_pairs = over_pairs<spread_step<T>, T>,
    .repeat_pairs = repeat_pairs<T>,
};

}  // namespace

constexpr pooling_table pools = {loops_of<float>, loops_of<double>};

}  // namespace troupe::cpu_kernels::TROUPE_ISA
