// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/softmax_loops.hpp"

#include "troupe/devices/cpu/simd/exponentials.hpp"
#include "troupe/devices/cpu/simd/fold.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

constexpr std::int64_t widest = softmax_loops::widest;

/// A row's maximum; the logarithm takes an infinite one for 0, as SciPy does.
template <bool Log, class T>
T origin(T most) noexcept {
  return Log && !scalar_functions::isfinite(most) ? T(0) : most;
}

/// sums[j] += the exponentials of x[i] - most; keeps them in `out` if that is wanted. n is a
/// multiple of 16.
template <bool Keep, class T>
void add_exponentials(T* sums, T* out, const T* x, std::int64_t n, T most) noexcept {
  constexpr std::int64_t length = length_of<T>, abreast = exponential_block / length;
  vector<T> totals[abreast];
#pragma GCC unroll 8
  for (std::int64_t k = 0; k < abreast; ++k) totals[k] = load(sums + k * length);
  for (std::int64_t i = 0; i < n; i += exponential_block) {
#pragma GCC unroll 8
    for (std::int64_t k = 0; k < abreast; ++k) {
      const auto at = i + k * length;
      const auto power = normal_exponential<T>(load(x + at) - most);
      if constexpr (Keep) store(out + at, power);
      totals[k] += power;
    }
  }
#pragma GCC unroll 8
  for (std::int64_t k = 0; k < abreast; ++k) store(sums + k * length, totals[k]);
}

template <bool Log, class T>
void over_row(void* to, const void* from, std::int64_t n) {
  constexpr std::int64_t block = 1024;
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  const T most = origin<Log>(static_cast<T>(fold<greatest>(in, n, lowest<T>())));
  double sum = 0;
  for (std::int64_t first = 0; first < n; first += block) {
    const std::int64_t length = n - first < block ? n - first : block;
    const std::int64_t whole = length / exponential_block * exponential_block;
    alignas(64) T sums[exponential_block] = {};
    add_exponentials<!Log>(sums, out + first, in + first, whole, most);
    if (whole < length) {
      alignas(64) T rest[exponential_block];
      for (std::int64_t j = 0; j < exponential_block; ++j)
        rest[j] = whole + j < length ? in[first + whole + j] : lowest<T>();
      add_exponentials<true>(sums, rest, rest, exponential_block, most);
      if constexpr (!Log) {
        for (std::int64_t i = whole; i < length; ++i) out[first + i] = rest[i - whole];
      }
    }
    sum += fold<add>(sums, exponential_block, T(0));
  }
  if constexpr (Log) {
    const T logarithm = static_cast<T>(scalar_functions::log(sum));
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) out[i] = in[i] - most - logarithm;
  } else {
    const T share = static_cast<T>(1 / sum);
    for (std::int64_t i = 0; i < n; ++i) out[i] *= share;
  }
}

/// The same for a row of columns, each with a sum and a maximum of its own.
template <class T>
void add_exponentials(T* sums, T* out, const T* x, const T* most, std::int64_t n) noexcept {
  for (std::int64_t i = 0; i < n; i += length_of<T>) {
    const auto power = normal_exponential<T>(load(x + i) - load(most + i));
    store(out + i, power);
    store(sums + i, load(sums + i) + power);
  }
}

template <bool Log, class T>
void over_columns(void* to, const void* from, std::int64_t step, std::int64_t rows,
                  std::int64_t width) {
  constexpr std::int64_t most_rows = 64;  // that are added up in T
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  alignas(64) T most[widest], powers[widest], sums[widest];
  alignas(64) double totals[widest];
  const std::int64_t whole = padded(width), even = width / exponential_block * exponential_block;
  for (std::int64_t j = 0; j < whole; ++j) most[j] = lowest<T>(), totals[j] = 0, powers[j] = T(0);
  for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < width; ++j) most[j] = greatest::combine(most[j], in[i * step + j]);
  }
  for (std::int64_t j = 0; j < width; ++j) most[j] = origin<Log>(most[j]);
  for (std::int64_t first = 0; first < rows; first += most_rows) {
    const std::int64_t end = first + most_rows < rows ? first + most_rows : rows;
    for (std::int64_t j = 0; j < whole; ++j) sums[j] = T(0);
    for (std::int64_t i = first; i < end; ++i) {
      const T* const x = in + i * step;
      T* const y = Log ? powers : out + i * step;
      add_exponentials(sums, y, x, most, even);
      if (even == width) continue;
      for (std::int64_t j = even; j < width; ++j) powers[j] = x[j];
      add_exponentials(sums + even, powers + even, powers + even, most + even, exponential_block);
      if constexpr (!Log) {
        for (std::int64_t j = even; j < width; ++j) y[j] = powers[j];
      }
    }
    for (std::int64_t j = 0; j < width; ++j) totals[j] += static_cast<double>(sums[j]);
  }
  for (std::int64_t j = 0; j < width; ++j)
    sums[j] = static_cast<T>(Log ? scalar_functions::log(totals[j]) : 1 / totals[j]);
  for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < width; ++j)
      out[i * step + j] = Log ? in[i * step + j] - most[j] - sums[j] : out[i * step + j] * sums[j];
  }
}

/// Several short rows at once, as columns side by side. Those that are missing are of zeros.
template <bool Log, class T>
void over_short_rows(void* to, const void* from, std::int64_t rows, std::int64_t n) {
  constexpr std::int64_t abreast = 16;
  T* out = static_cast<T*>(to);
  const T* in = static_cast<const T*>(from);
  constexpr std::int64_t room = abreast * softmax_loops::longest_short;
  alignas(64) T x[room] = {}, y[room];
  for (; rows > 0; rows -= abreast, in += abreast * n, out += abreast * n) {
    const std::int64_t count = rows < abreast ? rows : abreast;
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < n; ++j) x[j * abreast + i] = in[i * n + j];
    }
    over_columns<Log, T>(y, x, abreast, n, abreast);
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = y[j * abreast + i];
    }
  }
}

template <bool Log, class T>
constexpr softmax_loops loops_of = {over_row<Log, T>, over_short_rows<Log, T>,
                                    over_columns<Log, T>};

}  // namespace

constexpr softmax_table normalizers = {
    .softmax = {{}, {}, {}, {}, loops_of<false, float>, loops_of<false, double>},
    .log_softmax = {{}, {}, {}, {}, loops_of<true, float>, loops_of<true, double>},
};

}  // namespace troupe::cpu_kernels::TROUPE_ISA
