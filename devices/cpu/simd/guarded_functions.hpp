// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/simd/error_function.hpp"
#include "troupe/devices/scalar_functions.hpp"

/// Functions that glibc has of whole vectors, which takes numbers one by one, ten to eighty times
/// slower, where a result is not a normal number or an angle is wide. Each of these has a range in
/// which glibc's is quick, and a way to what lies beyond, without branches: other numbers in their
/// place, and a mended result. In the range both give the same bits. Exponentials and
/// erfc of floats do without glibc's. For CPUs that have AVX2.

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
  static constexpr float far = 80, shift = 64, e_to_shift = 6.235149080811617e27f;
};
template <>
struct limits<double> {
  static constexpr double least_normal = 0x1p-1022, greatest = 0x1.fffffffffffffp1023;
  static constexpr double above_minus_one = -0x1.fffffffffffffp-1;
  static constexpr double into_normal = 0x1p54, gained = 54;
  static constexpr double far = 700, shift = 512, e_to_shift = 2.2844135865397565e222;
};

template <class T>
struct exp {
  static vector<T> of_all(vector<T> x) noexcept { return exponential<T>(x); }
};

template <class T>
struct exp2 {
  static vector<T> of_all(vector<T> x) noexcept { return exponential_of_two<T>(x); }
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
  static constexpr T from = -limits<T>::greatest, to = 27.3;  ///< from there on it is 0
  static T apply(T x) noexcept {
    const bool none = x > to;
    return select(none, T(0), scalar_functions::quick::erfc(select(none, T(0), x)));
  }
};
template <>
struct erfc<float> {
  static vector<float> of_all(vector<float> x) noexcept { return error_complement(x); }
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
