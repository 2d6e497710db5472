// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/scalar_functions.hpp"

/// Functions that glibc has of whole vectors, which takes numbers one by one, ten to eighty times
/// slower, where a result is not a normal number or an angle is wide. Each of these has a range in
/// which glibc's is quick, and a way to what lies beyond, without branches: other numbers in their
/// place, and a mended result. In the range both give the same bits.

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

namespace guarded {

using scalar_functions::abs;
using scalar_functions::select;

/// Numbers that depend on the type.
template <class T>
struct limits;
template <>
struct limits<float> {
  static constexpr float least_normal = 0x1p-126f, greatest = 0x1.fffffep127f;
  static constexpr float above_minus_one = -0x1.fffffep-1f;
  static constexpr float into_normal = 0x1p24f, gained = 24;  ///< a factor and its logarithm
  static constexpr float far = 80, far_of_two = 120, shift = 64;
  static constexpr float e_to_shift = 6.235149080811617e27f, e_to_minus = 1.603810890548638e-28f;
  static constexpr float two_to_shift = 0x1p64f, two_to_minus = 0x1p-64f;
  static constexpr float no_rest = 10.2f;  ///< from there on erfc is 0
};
template <>
struct limits<double> {
  static constexpr double least_normal = 0x1p-1022, greatest = 0x1.fffffffffffffp1023;
  static constexpr double above_minus_one = -0x1.fffffffffffffp-1;
  static constexpr double into_normal = 0x1p54, gained = 54;
  static constexpr double far = 700, far_of_two = 1000, shift = 512;
  static constexpr double e_to_shift = 2.2844135865397565e222, e_to_minus = 4.377491037053051e-223;
  static constexpr double two_to_shift = 0x1p512, two_to_minus = 0x1p-512;
  static constexpr double no_rest = 27.3;
};

/// Powers of a base: base^x = base^(x - shift) * base^shift, and so for negative ones, where x is
/// farther from 0 than `far`. The difference is exact where the result is neither 0 nor infinite.
template <class T, class Power>
T shifted_power(T x, T far, T to_shift, T to_minus, Power power) noexcept {
  constexpr T shift = limits<T>::shift;
  const bool is_near = abs(x) <= far, negative = x < T(0);
  const T nearer = x - select(negative, -shift, shift);
  const T most = select(nearer < far, nearer, far);
  const T least = select(most > -far, most, -far);
  const T all = power(select(is_near, x, least)) *
                select(is_near, T(1), select(negative, to_minus, to_shift));
  return select(x == x, all, x);
}

template <class T>
struct exp {
  using l = limits<T>;
  static constexpr T from = -l::far, to = l::far;
  static T apply(T x) noexcept {
    return shifted_power(x, l::far, l::e_to_shift, l::e_to_minus,
                         [](T y) { return scalar_functions::quick::exp(y); });
  }
};

template <class T>
struct exp2 {
  using l = limits<T>;
  static constexpr T from = -l::far_of_two, to = l::far_of_two;
  static T apply(T x) noexcept {
    return shifted_power(x, l::far_of_two, l::two_to_shift, l::two_to_minus,
                         [](T y) { return scalar_functions::quick::exp2(y); });
  }
};

/// Beyond, the 1 is lost in rounding.
template <class T>
struct expm1 {
  using l = limits<T>;
  static constexpr T from = -l::greatest, to = l::far;
  static T apply(T x) noexcept {
    const bool is_near = x <= to;
    const T nearer = x - l::shift;
    const T found =
        scalar_functions::quick::expm1(select(is_near, x, select(nearer < to, nearer, to)));
    return select(is_near, found, select(x == x, (found + T(1)) * l::e_to_shift, x));
  }
};

/// The logarithm of infinity, of `zero`, of what is less, and of NaN.
template <class T>
T unusual_logarithm(T x, T zero) noexcept {
  return select(x > zero, x, select(x == zero, T(-__builtin_inf()), T(__builtin_nan(""))));
}

/// Logarithms of normal numbers, and of others multiplied by a power of two.
template <class T>
struct logarithm {
  using l = limits<T>;
  static constexpr T from = l::least_normal, to = l::greatest;
  template <class Logarithm>
  static T of(T x, T of_two, Logarithm quick) noexcept {
    const bool small = x < from;
    const T y = x * select(small, l::into_normal, T(1));
    const bool usual = (y >= from) & (y <= to);
    const T found = quick(select(usual, y, T(1))) - select(small, of_two * l::gained, T(0));
    return select(usual, found, unusual_logarithm(x, T(0)));
  }
};

template <class T>
struct log : logarithm<T> {
  static T apply(T x) noexcept {
    return log::of(x, T(0.6931471805599453), [](T y) { return scalar_functions::quick::log(y); });
  }
};

template <class T>
struct log2 : logarithm<T> {
  static T apply(T x) noexcept {
    return log2::of(x, T(1), [](T y) { return scalar_functions::quick::log2(y); });
  }
};

template <class T>
struct log10 : logarithm<T> {
  static T apply(T x) noexcept {
    return log10::of(x, T(0.3010299956639812),
                     [](T y) { return scalar_functions::quick::log10(y); });
  }
};

template <class T>
struct log1p {
  static constexpr T from = limits<T>::above_minus_one, to = limits<T>::greatest;
  static T apply(T x) noexcept {
    const bool usual = (x >= from) & (x <= to);
    return select(usual, scalar_functions::quick::log1p(select(usual, x, T(1))),
                  unusual_logarithm(x, T(-1)));
  }
};

template <class T>
struct erfc {
  static constexpr T from = -limits<T>::greatest, to = limits<T>::no_rest;
  static T apply(T x) noexcept {
    const bool none = x > to;
    return select(none, T(0), scalar_functions::quick::erfc(select(none, T(0), x)));
  }
};

/// Wide angles of float are none of double, unless they are very wide.
template <class T>
struct angle {
  static constexpr T to = sizeof(T) == 4 ? T(1e4) : T(__builtin_inf()), from = -to;
  static constexpr T very_wide = T(4e6);
  template <class Function>
  static T of(T x, Function quick) noexcept {
    const bool wide = (abs(x) > to) & (abs(x) <= very_wide);
    const T by_double = static_cast<T>(quick(static_cast<double>(select(wide, x, T(0)))));
    return select(wide, by_double, quick(select(wide, T(0), x)));
  }
};

template <class T>
struct sin : angle<T> {
  static T apply(T x) noexcept {
    return sin::of(x, [](auto y) { return scalar_functions::quick::sin(y); });
  }
};

template <class T>
struct cos : angle<T> {
  static T apply(T x) noexcept {
    return cos::of(x, [](auto y) { return scalar_functions::quick::cos(y); });
  }
};

}  // namespace guarded

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
