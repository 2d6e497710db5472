// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/softmax_loops.hpp"

#include "troupe/devices/cpu/simd/exponentials.hpp"
#include "troupe/devices/cpu/simd/fold.hpp"

namespace troupe::TROUPE_ISA {

namespace {

constexpr std::int64_t block = 1024;
constexpr std::int64_t widest = softmax_loops::widest;

/// A row's maximum; the logarithm takes an infinite one for 0, as SciPy does.
template <bool Log, class T>
T origin(T most) noexcept { return Log && !scalar_functions::isfinite(most) ? T(0) : most; }

template <bool Log, class T>
void over_row(void* to, const void* from, std::int64_t n) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  const T most = origin<Log>(static_cast<T>(fold<greatest>(in, n, lowest<T>())));
  alignas(64) T powers[block];
  double sum = 0;
  for (std::int64_t first = 0; first < n; first += block) {
    const std::int64_t length = n - first < block ? n - first : block;
    for (std::int64_t i = 0; i < length; ++i) powers[i] = in[first + i] - most;
    for (std::int64_t i = length; i < padded(length); ++i) powers[i] = lowest<T>();
    exponentiate(powers, padded(length));
    sum += fold<add>(powers, length, T(0));
    if constexpr (!Log)
      for (std::int64_t i = 0; i < length; ++i) out[first + i] = powers[i];
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

template <bool Log, class T>
void over_columns(void* to, const void* from, std::int64_t step, std::int64_t rows, std::int64_t width) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  alignas(64) T most[widest], powers[widest];
  alignas(64) double sums[widest];
  for (std::int64_t j = 0; j < width; ++j) most[j] = lowest<T>(), sums[j] = 0;
  for (std::int64_t j = width; j < padded(width); ++j) powers[j] = T(0);
  for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < width; ++j) most[j] = greatest::step(most[j], in[i * step + j]);
  }
  for (std::int64_t j = 0; j < width; ++j) most[j] = origin<Log>(most[j]);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < width; ++j) powers[j] = in[i * step + j] - most[j];
    exponentiate(powers, padded(width));
    for (std::int64_t j = 0; j < width; ++j) sums[j] += static_cast<double>(powers[j]);
    if constexpr (!Log)
      for (std::int64_t j = 0; j < width; ++j) out[i * step + j] = powers[j];
  }
  for (std::int64_t j = 0; j < width; ++j)
    powers[j] = static_cast<T>(Log ? scalar_functions::log(sums[j]) : 1 / sums[j]);
  for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < width; ++j)
      out[i * step + j] = Log ? in[i * step + j] - most[j] - powers[j] : out[i * step + j] * powers[j];
  }
}

}  // namespace

constexpr softmax_table normalizers = {
    .softmax = {{}, {}, {}, {over_row<false, float>, over_columns<false, float>},
                {over_row<false, double>, over_columns<false, double>}},
    .log_softmax = {{}, {}, {}, {over_row<true, float>, over_columns<true, float>},
                    {over_row<true, double>, over_columns<true, double>}},
};

}  // namespace troupe::TROUPE_ISA
