// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#include <math.h>
#endif

/// The functions on single numbers that the forward expressions of elementwise.def may call, for
/// the CPU and for CUDA. They have internal linkage: the same source is compiled for several
/// instruction sets, and no two of those compilations may share a function.

#ifdef __CUDACC__
#define TROUPE_FUNCTION static __host__ __device__ __forceinline__
#else
#define TROUPE_FUNCTION [[maybe_unused]] static inline
#endif

#ifndef __CUDACC__
// glibc has these functions also for whole vectors; the attribute tells GCC so, which then
// vectorises loops over them.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GLIBC_PREREQ(2, 35)
#define TROUPE_SIMD __attribute__((__simd__("notinbranch")))
#define TROUPE_GUARDED_FUNCTIONS
#endif
#endif
#ifndef TROUPE_SIMD
#define TROUPE_SIMD
#endif

#define TROUPE_MATH_1(name)                            \
  extern "C" TROUPE_SIMD double name(double) noexcept; \
  extern "C" TROUPE_SIMD float name##f(float) noexcept;
#define TROUPE_MATH_2(name)                                    \
  extern "C" TROUPE_SIMD double name(double, double) noexcept; \
  extern "C" TROUPE_SIMD float name##f(float, float) noexcept;
#include "troupe/devices/math_functions.def"

// Those of whole vectors are troupe's own, quick for all numbers (cpu/simd/guarded_functions.hpp).
#ifdef TROUPE_GUARDED_FUNCTIONS
#define TROUPE_MATH_GUARDED(name)                                                          \
  extern "C" TROUPE_SIMD __attribute__((__const__)) double troupe_##name(double) noexcept; \
  extern "C" TROUPE_SIMD __attribute__((__const__)) float troupe_##name##f(float) noexcept;
#include "troupe/devices/math_functions.def"
#endif

#undef TROUPE_SIMD

extern "C" double lgamma_r(double, int*) noexcept;
extern "C" float lgammaf_r(float, int*) noexcept;
extern "C" double tgamma(double) noexcept;
extern "C" float tgammaf(float) noexcept;
extern "C" double fmod(double, double) noexcept;
extern "C" float fmodf(float, float) noexcept;
extern "C" double nextafter(double, double) noexcept;
extern "C" float nextafterf(float, float) noexcept;
#endif

namespace troupe::scalar_functions {

#define TROUPE_WRAP_1(name)                                            \
  TROUPE_FUNCTION double name(double x) noexcept { return ::name(x); } \
  TROUPE_FUNCTION float name(float x) noexcept { return ::name##f(x); }
#define TROUPE_WRAP_2(name)                                                         \
  TROUPE_FUNCTION double name(double x, double y) noexcept { return ::name(x, y); } \
  TROUPE_FUNCTION float name(float x, float y) noexcept { return ::name##f(x, y); }

#define TROUPE_MATH_1(name) TROUPE_WRAP_1(name)
#define TROUPE_MATH_2(name) TROUPE_WRAP_2(name)
#ifdef TROUPE_GUARDED_FUNCTIONS
#define TROUPE_GUARDED(name) ::troupe_##name
#else
#define TROUPE_GUARDED(name) ::name
#endif
#define TROUPE_MATH_GUARDED(name)                                                    \
  namespace quick {                                                                  \
  TROUPE_WRAP_1(name)                                                                \
  }                                                                                  \
  TROUPE_FUNCTION double name(double x) noexcept { return TROUPE_GUARDED(name)(x); } \
  TROUPE_FUNCTION float name(float x) noexcept { return TROUPE_GUARDED(name##f)(x); }
#include "troupe/devices/math_functions.def"

#undef TROUPE_GUARDED

TROUPE_WRAP_1(tgamma)
TROUPE_WRAP_2(nextafter)

#ifdef __CUDACC__
TROUPE_WRAP_1(lgamma)
#else
// Not lgamma, which writes the gamma function's sign to a variable that all threads share.
TROUPE_FUNCTION double lgamma(double x) noexcept {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
TROUPE_FUNCTION float lgamma(float x) noexcept {
  int sign = 0;
  return ::lgammaf_r(x, &sign);
}
#endif

#undef TROUPE_WRAP_1
#undef TROUPE_WRAP_2

#ifdef __CUDACC__
#define TROUPE_BUILTIN(name) ::name
#else
#define TROUPE_BUILTIN(name) __builtin_##name
#endif

#define TROUPE_WRAP_BUILTIN(name)                                                    \
  TROUPE_FUNCTION double name(double x) noexcept { return TROUPE_BUILTIN(name)(x); } \
  TROUPE_FUNCTION float name(float x) noexcept { return TROUPE_BUILTIN(name##f)(x); }

TROUPE_WRAP_BUILTIN(sqrt)
TROUPE_WRAP_BUILTIN(floor)
TROUPE_WRAP_BUILTIN(ceil)
TROUPE_WRAP_BUILTIN(rint)
TROUPE_WRAP_BUILTIN(trunc)

#undef TROUPE_WRAP_BUILTIN

TROUPE_FUNCTION double copysign(double x, double y) noexcept {
  return TROUPE_BUILTIN(copysign)(x, y);
}
TROUPE_FUNCTION float copysign(float x, float y) noexcept {
  return TROUPE_BUILTIN(copysignf)(x, y);
}

// Choices are written with this instead of ?:, which types that record operations lack.
template <class T>
TROUPE_FUNCTION T choose(bool condition, T x, T y) noexcept {
  return condition ? x : y;
}

template <class T>
TROUPE_FUNCTION constexpr T minus_one() noexcept {
  return T(T(0) - T(1));
}
template <class T>
TROUPE_FUNCTION constexpr bool is_signed() noexcept {
  return minus_one<T>() < T(0);
}

// Integers and bool are whole already.
template <class T>
TROUPE_FUNCTION T floor(T x) noexcept {
  return x;
}
template <class T>
TROUPE_FUNCTION T ceil(T x) noexcept {
  return x;
}
template <class T>
TROUPE_FUNCTION T rint(T x) noexcept {
  return x;
}
template <class T>
TROUPE_FUNCTION T trunc(T x) noexcept {
  return x;
}

TROUPE_FUNCTION double abs(double x) noexcept { return TROUPE_BUILTIN(fabs)(x); }
TROUPE_FUNCTION float abs(float x) noexcept { return TROUPE_BUILTIN(fabsf)(x); }
template <class T>
TROUPE_FUNCTION T abs(T x) noexcept {
  return choose(x < T(0), T(-x), x);
}

#undef TROUPE_BUILTIN

template <class T>
TROUPE_FUNCTION T sign(T x) noexcept {
  return choose(x != x, x, T((x > T(0)) - (x < T(0))));
}

// A comparison with itself is how a NaN shows; the compiler drops it for integers.
template <class T>
TROUPE_FUNCTION auto isnan(T x) noexcept {
  return x != x;
}
template <class T>
TROUPE_FUNCTION auto isfinite(T x) noexcept {
  return x - x == T(0);
}
template <class T>
TROUPE_FUNCTION auto isinf(T x) noexcept {
  return (x == x) & !(x - x == T(0));
}

template <class T>
TROUPE_FUNCTION auto signbit(T x) noexcept {
  return x < T(0);
}
TROUPE_FUNCTION bool signbit(double x) noexcept { return copysign(1.0, x) < 0; }
TROUPE_FUNCTION bool signbit(float x) noexcept { return copysign(1.0f, x) < 0; }

template <class T>
TROUPE_FUNCTION T maximum(T x, T y) noexcept {
  return choose((x > y) | (x != x), x, y);
}
template <class T>
TROUPE_FUNCTION T minimum(T x, T y) noexcept {
  return choose((x < y) | (x != x), x, y);
}

template <class Bits, class T>
TROUPE_FUNCTION T select_bits(bool condition, T y, T w) noexcept {
  Bits from[2];
  __builtin_memcpy(&from[0], &y, sizeof y);
  __builtin_memcpy(&from[1], &w, sizeof w);
  const Bits mask = -static_cast<Bits>(condition);
  const Bits bits = (from[0] & mask) | (from[1] & ~mask);
  T out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}
// Without a branch, which random conditions would have mispredicted, and so that loops vectorise.
template <class T>
TROUPE_FUNCTION T select(bool condition, T y, T w) noexcept {
  if constexpr (!std::is_arithmetic_v<T>) return condition ? y : w;
  else if constexpr (std::is_same_v<T, bool>) return (condition & y) | (!condition & w);
  else if constexpr (sizeof(T) == 1) return select_bits<std::uint8_t>(condition, y, w);
  else if constexpr (sizeof(T) == 2) return select_bits<std::uint16_t>(condition, y, w);
  else if constexpr (sizeof(T) == 4) return select_bits<std::uint32_t>(condition, y, w);
  else return select_bits<std::uint64_t>(condition, y, w);
}

/// minimum(maximum(x, y), w): one choice within the other would be a branch.
template <class T>
TROUPE_FUNCTION T clip(T x, T y, T w) noexcept {
  const T most = select((x > y) | (x != x), x, y);
  return select((most < w) | (most != most), most, w);
}

template <class T>
TROUPE_FUNCTION T bitwise_not(T x) noexcept {
  return T(~x);
}
TROUPE_FUNCTION bool bitwise_not(bool x) noexcept { return !x; }

// Places beyond the width, and negative ones, leave no bit of the number but its sign. The places
// that reach the processor are within it.
template <class T>
TROUPE_FUNCTION T left_shift(T x, T y) noexcept {
  constexpr int width = 8 * static_cast<int>(sizeof(T));
  const bool within = (y >= T(0)) & (y < T(width));
  return choose(within, T(x << (y & T(width - 1))), T(0));
}
template <class T>
TROUPE_FUNCTION T right_shift(T x, T y) noexcept {
  constexpr int width = 8 * static_cast<int>(sizeof(T));
  const bool within = (y >= T(0)) & (y < T(width));
  if constexpr (!is_signed<T>()) return choose(within, T(x >> (y & T(width - 1))), T(0));
  return T(x >> choose(within, y & T(width - 1), T(width - 1)));
}

// Exact at both ends.
template <class T>
TROUPE_FUNCTION T lerp(T x, T y, T w) noexcept {
  const T all = y - x;
  return choose(w < T(0.5), x + w * all, y - all * (T(1) - w));
}

template <class T>
TROUPE_FUNCTION bool is_minus_one(T x) noexcept {
  return is_signed<T>() && x == minus_one<T>();
}

// Integer division by 0 gives 0, and the smallest integer divided by -1 wraps; neither may reach
// the processor.
template <class T>
TROUPE_FUNCTION T fmod(T x, T y) noexcept {
  return (y == T(0)) | is_minus_one(y) ? T(0) : T(x % y);
}
TROUPE_FUNCTION double fmod(double x, double y) noexcept { return ::fmod(x, y); }
TROUPE_FUNCTION float fmod(float x, float y) noexcept { return ::fmodf(x, y); }

template <class T>
TROUPE_FUNCTION T remainder(T x, T y) noexcept {
  const T rest = fmod(x, y);
  if (rest == T(0)) {
    if constexpr (T(1) / T(2) == T(0)) return rest;
    else return y < T(0) ? T(-0.0) : T(0);
  }
  return (rest < T(0)) != (y < T(0)) ? T(rest + y) : rest;
}

template <class T>
TROUPE_FUNCTION T floor_divide(T x, T y) noexcept {
  if constexpr (T(1) / T(2) == T(0)) {
    if (y == T(0)) return T(0);
    if (is_minus_one(y)) return T(-x);
    const T quotient = T(x / y);
    return x % y != 0 && (x < T(0)) != (y < T(0)) ? T(quotient - 1) : quotient;
  } else {
    if (y == T(0)) return x / y;
    const T rest = fmod(x, y);
    T quotient = (x - rest) / y;
    if (rest != T(0) && (rest < T(0)) != (y < T(0))) quotient -= T(1);
    if (quotient == T(0)) return copysign(T(0), copysign(T(1), x) * copysign(T(1), y));
    const T down = floor(quotient);
    return quotient - down > T(0.5) ? down + T(1) : down;
  }
}

TROUPE_FUNCTION double power(double x, double y) noexcept { return pow(x, y); }
TROUPE_FUNCTION float power(float x, float y) noexcept { return pow(x, y); }
template <class T>
TROUPE_FUNCTION T power(T x, T y) noexcept {
  if (y < T(0)) return x == T(1) ? T(1) : is_minus_one(x) ? (y & 1 ? minus_one<T>() : T(1)) : T(0);
  T result = T(1);
  for (; y != T(0); y = T(y >> 1), x = T(x * x)) {
    if (y & 1) result = T(result * x);
  }
  return result;
}

}  // namespace troupe::scalar_functions

#include "troupe/devices/complex_functions.hpp"
#include "troupe/devices/special_functions.hpp"
