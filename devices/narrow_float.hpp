// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

/// The floats of 16 bits. Memory holds them; what computes converts them to float, exactly, and
/// rounds the result to the nearest, ties to even. No branches, so that loops of conversions
/// vectorise.

#ifdef __CUDACC__
#define TROUPE_CONVERSION __host__ __device__
#else
#define TROUPE_CONVERSION
#endif

namespace troupe {

namespace narrow_float {

TROUPE_CONVERSION constexpr std::uint32_t bits_of(float x) noexcept {
  return __builtin_bit_cast(std::uint32_t, x);
}
TROUPE_CONVERSION constexpr float float_of(std::uint32_t bits) noexcept {
  return __builtin_bit_cast(float, bits);
}

TROUPE_CONVERSION constexpr float magnitude(float x) noexcept {
  return float_of(bits_of(x) & 0x7fffffff);
}

/// Rounds to odd: towards zero, and the last bit is set if that lost something. Rounding once more,
/// to a shorter float, then gives what a single rounding would. NaN and infinity stay.
template <class T>
TROUPE_CONVERSION constexpr float odd(T x) noexcept {
  const float near = static_cast<float>(x);
  if constexpr (std::is_integral_v<T>) {
    constexpr float end = 2 * static_cast<float>(T(1) << (8 * sizeof(T) - 2));  // of signed ones
    if (near >= (std::is_signed_v<T> ? end : 2 * end)) return near;
  }
  const T back = static_cast<T>(near);
  const auto bits = bits_of(near);
  bool negative = false;
  if constexpr (std::is_signed_v<T>) negative = x < T(0);
  const bool away = negative ? back < x : back > x;
  const bool exact = back == x || x != x;
  return float_of(exact ? bits : (bits - (away ? 1 : 0)) | 1);
}

/// After M. Dukhan's FP16 library: subnormals and infinities come out of multiplications by powers
/// of two.
TROUPE_CONVERSION constexpr float from_half(std::uint16_t half) noexcept {
#ifdef __CUDA_ARCH__
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
  return x;
#else
  const std::uint32_t word = std::uint32_t{half} << 16, sign = word & 0x80000000u,
                      rest = word + word;
  const float normal = float_of((rest >> 4) + (0xe0u << 23)) * 0x1p-112f;
  const float subnormal = float_of((rest >> 17) | (126u << 23)) - 0.5f;
  return float_of(sign | (rest < (1u << 27) ? bits_of(subnormal) : bits_of(normal)));
#endif
}

TROUPE_CONVERSION constexpr std::uint16_t to_half(float x) noexcept {
#ifdef __CUDA_ARCH__
  std::uint16_t half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
  return half;
#else
  const std::uint32_t word = bits_of(x), sign = word & 0x80000000u, rest = word + word;
  const std::uint32_t exponent = rest & 0xff000000u;
  const std::uint32_t bias = exponent < 0x71000000u ? 0x71000000u : exponent;
  const float scaled = (magnitude(x) * 0x1p+112f) * 0x1p-110f;  // too large ones become infinite
  const std::uint32_t bits = bits_of(float_of((bias >> 1) + 0x07800000u) + scaled);
  const std::uint32_t whole = ((bits >> 13) & 0x7c00u) + (bits & 0x0fffu);
  return static_cast<std::uint16_t>((sign >> 16) | (rest > 0xff000000u ? 0x7e00u : whole));
#endif
}

TROUPE_CONVERSION constexpr float from_brain(std::uint16_t brain) noexcept {
  return float_of(std::uint32_t{brain} << 16);
}

TROUPE_CONVERSION constexpr std::uint16_t to_brain(float x) noexcept {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  const bool number = (bits & 0x7fffffffu) <= 0x7f800000u;
  return static_cast<std::uint16_t>(number ? rounded : bits >> 16 | 0x40u);
}

}  // namespace narrow_float

/// IEEE 754's binary16: 11 significant bits, up to 65504.
struct float16_t {
  std::uint16_t bits;

  float16_t() noexcept = default;
  TROUPE_CONVERSION constexpr explicit float16_t(float x) noexcept
      : bits(narrow_float::to_half(x)) {}
  template <class T>
  requires std::is_arithmetic_v<T> TROUPE_CONVERSION constexpr explicit float16_t(T x) noexcept
      : float16_t(narrow_float::odd(x)) {}
  TROUPE_CONVERSION constexpr operator float() const noexcept {
    return narrow_float::from_half(bits);
  }
};

/// The upper half of a float: 8 significant bits, and its range.
struct bfloat16_t {
  std::uint16_t bits;

  bfloat16_t() noexcept = default;
  TROUPE_CONVERSION constexpr explicit bfloat16_t(float x) noexcept
      : bits(narrow_float::to_brain(x)) {}
  template <class T>
  requires std::is_arithmetic_v<T> TROUPE_CONVERSION constexpr explicit bfloat16_t(T x) noexcept
      : bfloat16_t(narrow_float::odd(x)) {}
  TROUPE_CONVERSION constexpr operator float() const noexcept {
    return narrow_float::from_brain(bits);
  }
};

}  // namespace troupe

#undef TROUPE_CONVERSION
