// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "troupe/devices/cpu/simd/reduction_loops.hpp"
#include "troupe/devices/cpu/simd/vectors.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

/// The type that results are combined in.
template <class T>
using wide = std::conditional_t<is_floating(dtype_of<T>()), double, std::int64_t>;

// Steps work on single numbers and on vectors. `lift` makes a sum of one element, `combine` adds up
// two sums.

struct of_elements {
  template <class V>
  static V lift(V x) noexcept {
    return x;
  }
};

struct add : of_elements {
  template <class V>
  static V combine(V a, V b) noexcept {
    return a + b;
  }
};

struct add_square : add {
  template <class V>
  static V lift(V x) noexcept {
    return x * x;
  }
};

struct multiply : of_elements {
  template <class V>
  static V combine(V a, V b) noexcept {
    return a * b;
  }
};

// A comparison with itself tells a NaN, which stays once it is there.

struct greatest : of_elements {
  template <class V>
  static V combine(V most, V x) noexcept {
    return (x > most) | (x != x) ? x : most;
  }
};

struct least : of_elements {
  template <class V>
  static V combine(V most, V x) noexcept {
    return (x < most) | (x != x) ? x : most;
  }
};

/// Returns a sum with one more element.
template <class Step, class V>
V added(V sum, V element) noexcept {
  return Step::combine(sum, Step::lift(element));
}

/// Adds up `rows` rows of eight vectors, side by side, and then the eight in pairs.
template <class Step, class T>
vector<T> fold_vectors(const T* x, std::int64_t rows) noexcept {
  constexpr int length = vector_bytes / static_cast<int>(sizeof(T));
  vector<T> sums[8];
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) sums[k] = Step::lift(load(x + k * length));
  for (std::int64_t i = 1; i < rows; ++i) {
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) sums[k] = added<Step>(sums[k], load(x + (8 * i + k) * length));
  }
  return Step::combine(
      Step::combine(Step::combine(sums[0], sums[1]), Step::combine(sums[2], sums[3])),
      Step::combine(Step::combine(sums[4], sums[5]), Step::combine(sums[6], sums[7])));
}

/// Adds up n floats: never more than sixteen in a row before pairs are added, and all else in
/// float64.
template <class Step, class T>
double fold(const T* x, std::int64_t n, T identity) noexcept {
  constexpr int length = vector_bytes / static_cast<int>(sizeof(T));
  constexpr int row = 8 * length;
  double few = static_cast<double>(identity);
  if (n < length) {
    for (std::int64_t i = 0; i < n; ++i)
      few = Step::combine(few, static_cast<double>(Step::lift(x[i])));
    return few;
  }
  double totals[length];
  for (double& total : totals) total = static_cast<double>(identity);
  const auto include = [&](vector<T> sums) {
    T lanes[length];
    __builtin_memcpy(lanes, &sums, sizeof sums);
    for (int j = 0; j < length; ++j)
      totals[j] = Step::combine(totals[j], static_cast<double>(lanes[j]));
  };
  std::int64_t rows = n / row;
  for (; rows >= 16; rows -= 16, x += 16 * row) include(fold_vectors<Step>(x, 16));
  if (rows > 0) include(fold_vectors<Step>(x, rows));
  x += rows * row;
  n %= row;
  for (; n >= length; n -= length, x += length) include(Step::lift(load(x)));
  for (int half = length / 2; half > 0; half /= 2) {
    for (int j = 0; j < half; ++j) totals[j] = Step::combine(totals[j], totals[j + half]);
  }
  double sum = totals[0];
  for (std::int64_t i = 0; i < n; ++i)
    sum = Step::combine(sum, static_cast<double>(Step::lift(x[i])));
  return sum;
}

/// The largest and the smallest value: where a search for the least or the greatest starts.
template <class T>
constexpr T highest() noexcept {
  if constexpr (is_floating(dtype_of<T>())) return T(__builtin_inf());
  else if constexpr (std::is_same_v<T, bool>) return true;
  else return static_cast<T>(~(std::uint64_t{1} << (8 * sizeof(T) - 1)));
}

template <class T>
constexpr T lowest() noexcept {
  if constexpr (is_floating(dtype_of<T>())) return T(-__builtin_inf());
  else if constexpr (std::is_same_v<T, bool>) return false;
  else return static_cast<T>(-highest<T>() - 1);
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
