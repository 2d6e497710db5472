// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "troupe/devices/cpu/simd/loops.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

/// Rests of a division, the quotient being rounded to 0 or down, and the quotient rounded down:
/// what the scalar functions give, without branches.
template <class T>
struct whole_division {
  T rest, rest_of_down, down;
  bool known;  ///< false if these numbers are left to the scalar functions

  /// Divides as float64, which vectors can, both numbers being less than 2^53: a quotient that is
  /// not whole is farther from the next whole number than it is wrong. As quotients by 0 and by -1
  /// are special, and their rests 0, these are those of 1.
  whole_division(T x, T y) noexcept {
    using namespace scalar_functions;
    known = sizeof(T) == 4 || (is_small(x) & is_small(y));
    const T by = select((y == T(0)) | is_minus_one(y), T(1), y);
    const T quotient = static_cast<T>(static_cast<double>(x) / static_cast<double>(by));
    rest = static_cast<T>(x - quotient * by);
    const bool above = is_signed<T>() & (rest != T(0)) & ((rest < T(0)) != (by < T(0)));
    rest_of_down = static_cast<T>(rest + select(above, by, T(0)));
    down = select(y == T(0), T(0), select(is_minus_one(y), T(T(0) - x), T(quotient - above)));
  }

 private:
  static bool is_small(T x) noexcept {
    const auto sign = x < T(0) ? ~std::uint64_t{0} : 0;
    return (static_cast<std::uint64_t>(x) ^ sign) < std::uint64_t{1} << 53;
  }
};

/// The same for floats, whose scalar function takes a step for each bit of the quotient. One of
/// magnitudes less than 2^22, or 2^51, is the next whole number at most, as it was rounded, and
/// what is left then can be told exactly.
template <class T>
struct float_division {
  T rest, rest_of_down, down;
  bool known;

  float_division(T x, T y) noexcept {
    using namespace scalar_functions;
    const T of = abs(x), by = abs(y), quotient = of / by;
    known = (quotient < T(sizeof(T) == 4 ? 0x1p22 : 0x1p51)) & (by < T(__builtin_inf()));
    T left = fused(-trunc(quotient), by, of);
    left = select(left < T(0), left + by, left);
    rest = copysign(left, x);
    const bool above = (rest != T(0)) & ((rest < T(0)) != (y < T(0)));
    rest_of_down = select(rest == T(0), copysign(T(0), y), select(above, rest + y, rest));
    const T near = (x - rest) / y - select(above, T(1), T(0)), whole = floor(near);
    const T rounded = select(near - whole > T(0.5), whole + T(1), whole);
    down = select(near == T(0), copysign(T(0), copysign(T(1), x) * copysign(T(1), y)), rounded);
  }

 private:
  static float fused(float x, float y, float w) noexcept { return __builtin_fmaf(x, y, w); }
  static double fused(double x, double y, double w) noexcept { return __builtin_fma(x, y, w); }
};

/// The loop of an operation that divides.
template <class Row, class T>
struct division_loop {
  static constexpr std::int64_t block = 16;
  static constexpr bool whole = std::is_integral_v<T>;
  using division = std::conditional_t<whole, whole_division<T>, float_division<T>>;

#if defined(__AVX512DQ__)
  static constexpr bool by_vectors = true;
#elif defined(__AVX2__)
  static constexpr bool by_vectors = !whole || sizeof(T) == 4;  // others do not become float64
#else
  static constexpr bool by_vectors = whole && sizeof(T) == 4;
#endif

  static T wanted(const division& all) noexcept {
    if constexpr (Row::op == elementwise_op::fmod) return all.rest;
    else if constexpr (Row::op == elementwise_op::remainder) return all.rest_of_down;
    else return all.down;
  }

  /// Divides a block; returns true if all results are known.
  static __attribute__((noipa)) bool run_block(T* out, const T* x, const T* y) noexcept {
    std::make_unsigned_t<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>> unknown =
        0;
#pragma GCC ivdep
#pragma GCC unroll 1
    for (std::int64_t i = 0; i < block; ++i) {
      const division all(x[i], y[i]);
      out[i] = wanted(all);
      unknown |= !all.known;
    }
    return unknown == 0;
  }

  static void run(void* to, const void* const* inputs, std::int64_t n) noexcept {
    T* const out = static_cast<T*>(to);
    const T* const x = static_cast<const T*>(inputs[0]);
    const T* const y = static_cast<const T*>(inputs[1]);
    std::int64_t i = 0;
    for (; by_vectors && i + block <= n; i += block) {
      alignas(64) T made[block];
      if (run_block(made, x + i, y + i)) {
        for (std::int64_t k = 0; k < block; ++k) out[i + k] = made[k];
      } else {
        for (auto k = i; k < i + block; ++k) out[k] = Row::apply(x[k], y[k]);
      }
    }
    for (; i < n; ++i) out[i] = Row::apply(x[i], y[i]);
  }
};

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
