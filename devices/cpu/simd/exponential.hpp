// SPDX-License-Identifier: MIT
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "troupe/devices/cpu/exponential_series.hpp"
#include "troupe/devices/cpu/simd/vectors.hpp"
#include "troupe/devices/scalar_functions.hpp"

/// Exponentials of whole vectors: quick for all numbers, and without a table in memory, whose loads
/// would wait for stores to the same place of another page.

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

#ifdef __AVX2__

// ---- what GCC has no operators for ----

#ifdef __AVX512F__
// All with a mask that is full, as GCC warns of the others.
constexpr __mmask16 all_floats = 0xffff;
constexpr __mmask8 all_doubles = 0xff;

inline vector<float> fused(vector<float> x, vector<float> y, vector<float> z) noexcept {
  return _mm512_fmadd_ps(x, y, z);
}
inline vector<double> fused(vector<double> x, vector<double> y, vector<double> z) noexcept {
  return _mm512_fmadd_pd(x, y, z);
}
/// The nearest whole numbers.
inline vector<float> nearest(vector<float> x) noexcept {
  return _mm512_mask_roundscale_ps(x, all_floats, x, 8);
}
inline vector<double> nearest(vector<double> x) noexcept {
  return _mm512_mask_roundscale_pd(x, all_doubles, x, 8);
}
/// x, or the limit beyond it; NaN where x is.
inline vector<float> between(float least, vector<float> x, float most) noexcept {
  x = _mm512_mask_max_ps(x, all_floats, _mm512_set1_ps(least), x);
  return _mm512_mask_min_ps(x, all_floats, _mm512_set1_ps(most), x);
}
inline vector<double> between(double least, vector<double> x, double most) noexcept {
  x = _mm512_mask_max_pd(x, all_doubles, _mm512_set1_pd(least), x);
  return _mm512_mask_min_pd(x, all_doubles, _mm512_set1_pd(most), x);
}
/// x * 2^n for whole n, rounded once.
inline vector<float> scaled(vector<float> x, vector<float> n) noexcept {
  return _mm512_mask_scalef_ps(x, all_floats, x, n);
}
inline vector<double> scaled(vector<double> x, vector<double> n) noexcept {
  return _mm512_mask_scalef_pd(x, all_doubles, x, n);
}
#else
inline vector<float> fused(vector<float> x, vector<float> y, vector<float> z) noexcept {
  return _mm256_fmadd_ps(x, y, z);
}
inline vector<double> fused(vector<double> x, vector<double> y, vector<double> z) noexcept {
  return _mm256_fmadd_pd(x, y, z);
}
inline vector<float> nearest(vector<float> x) noexcept { return _mm256_round_ps(x, 8); }
inline vector<double> nearest(vector<double> x) noexcept { return _mm256_round_pd(x, 8); }
inline vector<float> between(float least, vector<float> x, float most) noexcept {
  return _mm256_min_ps(_mm256_set1_ps(most), _mm256_max_ps(_mm256_set1_ps(least), x));
}
inline vector<double> between(double least, vector<double> x, double most) noexcept {
  return _mm256_min_pd(_mm256_set1_pd(most), _mm256_max_pd(_mm256_set1_pd(least), x));
}
inline __m256 power_of_two(__m256i n) noexcept {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}
inline __m256d power_of_two(__m128i n) noexcept {
  const auto biased = _mm256_cvtepi32_epi64(_mm_add_epi32(n, _mm_set1_epi32(1023)));
  return _mm256_castsi256_pd(_mm256_slli_epi64(biased, 52));
}
// In two steps, of which the first is exact: not every such power is a normal number.
inline vector<float> scaled(vector<float> x, vector<float> n) noexcept {
  const auto all = _mm256_cvtps_epi32(n), half = _mm256_srai_epi32(all, 1);
  return x * power_of_two(half) * power_of_two(_mm256_sub_epi32(all, half));
}
inline vector<double> scaled(vector<double> x, vector<double> n) noexcept {
  const auto all = _mm256_cvtpd_epi32(n), half = _mm_srai_epi32(all, 1);
  return x * power_of_two(half) * power_of_two(_mm_sub_epi32(all, half));
}
#endif

/// e^r * 2^n.
template <class T, class V = vector<T>>
inline V power_of(V r, V n) noexcept {
  using series = exponential_series<T>;
  V sum = V{} + series::coefficients[0];
  for (std::size_t k = 1; k < std::size(series::coefficients); ++k)
    sum = fused(sum, r, V{} + series::coefficients[k]);
  return scaled(sum, n);
}

/// e^x, wrong by at most 1.1 units of the last place.
template <class T, class V = vector<T>>
inline V exponential(V x) noexcept {
  using series = exponential_series<T>;
  x = between(series::least, x, series::most);
  const V n = nearest(x * series::log2_e);
  const V r = fused(n, V{} - series::ln_2_rest, fused(n, V{} - series::ln_2, x));
  return power_of<T>(r, n);
}

/// 2^x, likewise.
template <class T, class V = vector<T>>
inline V exponential_of_two(V x) noexcept {
  using series = exponential_series<T>;
  x = between(series::least_of_two, x, series::most_of_two);
  const V n = nearest(x);
  return power_of<T>((x - n) * series::ln_2, n);
}

#endif

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
