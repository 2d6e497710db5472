// SPDX-License-Identifier: MIT
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/simd/fold.hpp"
#include "troupe/devices/philox.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

constexpr std::int64_t lanes = static_cast<std::int64_t>(philox::lanes);

typedef std::uint64_t wide_words __attribute__((vector_size(vector_bytes)));

/// The products of the lower halves.
static wide_words multiply_halves(wide_words a, wide_words b) noexcept {
#if defined(__AVX512F__)
  return reinterpret_cast<wide_words>(
      _mm512_maskz_mul_epu32(0xFF, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
  return reinterpret_cast<wide_words>(
      _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
  return reinterpret_cast<wide_words>(
      _mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
#endif
}

/// The words of 16 neighbouring counters, first words first. Each is the lower half of its place;
/// the upper half is meaningless.
struct word_group {
  alignas(64) std::uint64_t numbers[4][lanes];

  /// philox::generate for a vector of counters at a time.
  void generate(std::uint64_t key, std::uint64_t counter) noexcept {
    constexpr std::int64_t length = vector_bytes / 8;
    wide_words counters;
    for (std::int64_t i = 0; i < length; ++i) counters[i] = counter + static_cast<std::uint64_t>(i);
    for (std::int64_t i = 0; i < lanes; i += length, counters += length) {
      wide_words a = counters, b = counters >> 32, c{}, d{};
      std::uint64_t key0 = key, key1 = key >> 32;
#pragma GCC unroll 10
      for (int round = 0; round < 10; ++round) {
        const wide_words left = multiply_halves(a, wide_words{} + 0xD2511F53);
        const wide_words right = multiply_halves(c, wide_words{} + 0xCD9E8D57);
        a = (right >> 32) ^ b ^ key0;
        b = right;
        c = (left >> 32) ^ d ^ key1;
        d = left;
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
      }
      __builtin_memcpy(&numbers[0][i], &a, sizeof a);
      __builtin_memcpy(&numbers[1][i], &b, sizeof b);
      __builtin_memcpy(&numbers[2][i], &c, sizeof c);
      __builtin_memcpy(&numbers[3][i], &d, sizeof d);
    }
  }

  std::uint32_t word(int k, std::int64_t i) const noexcept {
    return static_cast<std::uint32_t>(numbers[k][i]);
  }
};

// Each distribution turns a group of words into a group of elements.

struct uniform_float {
  using element = float;
  using attributes = uniform_attributes;
  static constexpr int words = 1;
  float low, width, highest;

  explicit uniform_float(const attributes& a) noexcept
      : low(static_cast<float>(a.low)), width(static_cast<float>(a.high - a.low)) {
    // Rounding must not let the upper bound in.
    const auto high = static_cast<float>(a.high);
    highest = high > low ? __builtin_nextafterf(high, low) : low;
  }
  void make(float* out, const word_group& w) const noexcept {
    for (int k = 0; k < 4; ++k) {
      for (std::int64_t i = 0; i < lanes; ++i) {
        const float x = low + philox::unit_float(w.word(k, i)) * width;
        out[k * lanes + i] = x < highest ? x : highest;
      }
    }
  }
};

struct uniform_double {
  using element = double;
  using attributes = uniform_attributes;
  static constexpr int words = 2;
  double low, width, highest;

  explicit uniform_double(const attributes& a) noexcept : low(a.low), width(a.high - a.low) {
    highest = a.high > low ? __builtin_nextafter(a.high, low) : low;
  }
  void make(double* out, const word_group& w) const noexcept {
    for (int k = 0; k < 2; ++k) {
      for (std::int64_t i = 0; i < lanes; ++i) {
        const double x = low + philox::unit_double(w.word(2 * k, i), w.word(2 * k + 1, i)) * width;
        out[k * lanes + i] = x < highest ? x : highest;
      }
    }
  }
};

/// Box and Muller: two uniform numbers give two normal ones, the coordinates of a point in polar
/// form. The sine and the cosine have loops of their own; side by side GCC would make one call of
/// them that has no vector form.
template <class T>
void from_polar(T* out, const T* radius, const T* angle, T mean) noexcept {
#pragma GCC ivdep
#pragma GCC unroll 1
  for (std::int64_t i = 0; i < lanes; ++i)
    out[i] = mean + radius[i] * scalar_functions::cos(angle[i]);
#pragma GCC ivdep
#pragma GCC unroll 1
  for (std::int64_t i = 0; i < lanes; ++i)
    out[lanes + i] = mean + radius[i] * scalar_functions::sin(angle[i]);
}

struct normal_float {
  using element = float;
  using attributes = normal_attributes;
  static constexpr int words = 1;
  float mean, deviation;

  explicit normal_float(const attributes& a) noexcept
      : mean(static_cast<float>(a.mean)), deviation(static_cast<float>(a.standard_deviation)) {}
  void make(float* out, const word_group& w) const noexcept {
    alignas(64) float radius[lanes], angle[lanes];
    for (int k = 0; k < 4; k += 2) {
      for (std::int64_t i = 0; i < lanes; ++i) {
        radius[i] =
            scalar_functions::sqrt(-2 * scalar_functions::log(philox::open_float(w.word(k, i)))) *
            deviation;
        angle[i] = philox::unit_float(w.word(k + 1, i)) * 6.2831853071795865f;
      }
      from_polar(out + k * lanes, radius, angle, mean);
    }
  }
};

struct normal_double {
  using element = double;
  using attributes = normal_attributes;
  static constexpr int words = 2;
  double mean, deviation;

  explicit normal_double(const attributes& a) noexcept
      : mean(a.mean), deviation(a.standard_deviation) {}
  void make(double* out, const word_group& w) const noexcept {
    alignas(64) double radius[lanes], angle[lanes];
    for (std::int64_t i = 0; i < lanes; ++i) {
      radius[i] = scalar_functions::sqrt(
                      -2 * scalar_functions::log(philox::open_double(w.word(0, i), w.word(1, i)))) *
                  deviation;
      angle[i] = philox::unit_double(w.word(2, i), w.word(3, i)) * 6.283185307179586;
    }
    from_polar(out, radius, angle, mean);
  }
};

template <class T>
struct random_integer {
  using element = T;
  using attributes = randint_attributes;
  static constexpr int words = 2;
  std::uint64_t low, range;

  explicit random_integer(const attributes& a) noexcept
      : low(static_cast<std::uint64_t>(a.low)), range(static_cast<std::uint64_t>(a.high) - low) {}
  void make(T* out, const word_group& w) const noexcept {
    for (int k = 0; k < 4; k += 2) {
      T* const to = out + k / 2 * lanes;
      if (range >> 32 == 0) make_near(to, w.numbers[k], w.numbers[k + 1]);
      else {
        for (std::int64_t i = 0; i < lanes; ++i)
          to[i] = static_cast<T>(low + philox::below(range, w.word(k, i), w.word(k + 1, i)));
      }
    }
  }

  /// The numbers of philox::below for a range of 32 bits.
  void make_near(T* to, const std::uint64_t* high, const std::uint64_t* low_words) const noexcept {
    constexpr std::int64_t length = vector_bytes / 8;
    for (std::int64_t i = 0; i < lanes; i += length) {
      const wide_words factor = wide_words{} + range;
      const wide_words lower = multiply_halves(load(low_words + i), factor) >> 32;
      const wide_words result = ((multiply_halves(load(high + i), factor) + lower) >> 32) + low;
      for (std::int64_t j = 0; j < length; ++j) to[i + j] = static_cast<T>(result[j]);
    }
  }
};

/// A creation loop: every group that has elements in [first, first + n), the last one perhaps in
/// part.
template <class Distribution>
void random(void* out, const typename Distribution::attributes& attributes, std::int64_t first,
            std::int64_t n, std::int64_t) {
  using T = typename Distribution::element;
  constexpr auto group = static_cast<std::int64_t>(philox::group(Distribution::words));
  const Distribution distribution(attributes);
  T* const to = static_cast<T*>(out);
  std::uint64_t counter =
      attributes.source.counter + static_cast<std::uint64_t>(first / group * lanes);
  word_group words;
  alignas(64) T last[group];
  for (std::int64_t i = 0; i < n; i += group, counter += philox::lanes) {
    words.generate(attributes.source.key, counter);
    const bool whole = n - i >= group;
    distribution.make(whole ? to + i : last, words);
    if (!whole) {
      for (std::int64_t j = 0; i + j < n; ++j) to[i + j] = last[j];
    }
  }
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
