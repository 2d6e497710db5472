// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/complex_number.hpp"

#ifdef __CUDACC__
#include <thrust/complex.h>
#endif

/// The functions on single complex numbers that the forward expressions of elementwise.def may
/// call, beside those of scalar_functions.hpp on real ones, which includes this file. Branch cuts
/// lie as in C99's annex G: it is the C library that computes, on a GPU Thrust.

namespace troupe::scalar_functions {

// For a real number, these are what they are for a complex one without an imaginary part.
template <class T>
TROUPE_FUNCTION T real(T x) noexcept {
  return x;
}
template <class T>
TROUPE_FUNCTION T imag([[maybe_unused]] T x) noexcept {
  return T(0);
}
template <class T>
TROUPE_FUNCTION T conj(T x) noexcept {
  return x;
}
template <class T>
TROUPE_FUNCTION T real(complex_number<T> x) noexcept {
  return x.re;
}
template <class T>
TROUPE_FUNCTION T imag(complex_number<T> x) noexcept {
  return x.im;
}
template <class T>
TROUPE_FUNCTION complex_number<T> conj(complex_number<T> x) noexcept {
  return {x.re, -x.im};
}
TROUPE_FUNCTION complex_number<float> joined(float x, float y) noexcept { return {x, y}; }
TROUPE_FUNCTION complex_number<double> joined(double x, double y) noexcept { return {x, y}; }

template <class T>
TROUPE_FUNCTION T abs(complex_number<T> x) noexcept {
  return hypot(x.re, x.im);
}
template <class T>
TROUPE_FUNCTION bool isinf(complex_number<T> x) noexcept {
  return isinf(x.re) | isinf(x.im);
}

#ifdef __CUDACC__
#define TROUPE_COMPLEX_1(name, function)                                 \
  template <class T>                                                     \
  TROUPE_FUNCTION complex_number<T> name(complex_number<T> x) noexcept { \
    const auto out = thrust::name(thrust::complex<T>(x.re, x.im));       \
    return {out.real(), out.imag()};                                     \
  }
template <class T>
TROUPE_FUNCTION complex_number<T> exponential_power(complex_number<T> x,
                                                    complex_number<T> y) noexcept {
  const auto out = thrust::pow(thrust::complex<T>(x.re, x.im), thrust::complex<T>(y.re, y.im));
  return {out.real(), out.imag()};
}
#else
// C's own complex types, which GCC and Clang have in C++, too.
__extension__ typedef _Complex float c_complex64;
__extension__ typedef _Complex double c_complex128;

#define TROUPE_COMPLEX_TYPES(type, c_type)                         \
  TROUPE_FUNCTION c_type to_c(complex_number<type> x) noexcept {   \
    c_type out;                                                    \
    __real__ out = x.re;                                           \
    __imag__ out = x.im;                                           \
    return out;                                                    \
  }                                                                \
  TROUPE_FUNCTION complex_number<type> from_c(c_type x) noexcept { \
    return {__real__ x, __imag__ x};                               \
  }
TROUPE_COMPLEX_TYPES(float, c_complex64)
TROUPE_COMPLEX_TYPES(double, c_complex128)
#undef TROUPE_COMPLEX_TYPES

#define TROUPE_COMPLEX_1(name, function)                                           \
  TROUPE_FUNCTION complex_number<float> name(complex_number<float> x) noexcept {   \
    return from_c(__builtin_##function##f(to_c(x)));                               \
  }                                                                                \
  TROUPE_FUNCTION complex_number<double> name(complex_number<double> x) noexcept { \
    return from_c(__builtin_##function(to_c(x)));                                  \
  }
TROUPE_FUNCTION complex_number<float> exponential_power(complex_number<float> x,
                                                        complex_number<float> y) noexcept {
  return from_c(__builtin_cpowf(to_c(x), to_c(y)));
}
TROUPE_FUNCTION complex_number<double> exponential_power(complex_number<double> x,
                                                         complex_number<double> y) noexcept {
  return from_c(__builtin_cpow(to_c(x), to_c(y)));
}
#endif
TROUPE_COMPLEX_1(sqrt, csqrt)
TROUPE_COMPLEX_1(exp, cexp)
TROUPE_COMPLEX_1(log, clog)
TROUPE_COMPLEX_1(sin, csin)
TROUPE_COMPLEX_1(cos, ccos)
TROUPE_COMPLEX_1(tan, ctan)
TROUPE_COMPLEX_1(asin, casin)
TROUPE_COMPLEX_1(acos, cacos)
TROUPE_COMPLEX_1(atan, catan)
TROUPE_COMPLEX_1(sinh, csinh)
TROUPE_COMPLEX_1(cosh, ccosh)
TROUPE_COMPLEX_1(tanh, ctanh)
TROUPE_COMPLEX_1(asinh, casinh)
TROUPE_COMPLEX_1(acosh, cacosh)
TROUPE_COMPLEX_1(atanh, catanh)
#undef TROUPE_COMPLEX_1

template <class T>
TROUPE_FUNCTION complex_number<T> exp2(complex_number<T> x) noexcept {
  return exp(complex_number<T>{x.re * T(0.6931471805599453), x.im * T(0.6931471805599453)});
}
template <class T>
TROUPE_FUNCTION complex_number<T> log2(complex_number<T> x) noexcept {
  const auto natural = log(x);
  return {natural.re * T(1.4426950408889634), natural.im * T(1.4426950408889634)};
}
template <class T>
TROUPE_FUNCTION complex_number<T> log10(complex_number<T> x) noexcept {
  const auto natural = log(x);
  return {natural.re * T(0.4342944819032518), natural.im * T(0.4342944819032518)};
}
template <class T>
TROUPE_FUNCTION complex_number<T> expm1(complex_number<T> x) noexcept {
  const T half = sin(x.im * T(0.5));
  return {expm1(x.re) * cos(x.im) - T(2) * half * half, exp(x.re) * sin(x.im)};
}
// |1 + x|^2 = 1 + re (2 + re) + im^2.
template <class T>
TROUPE_FUNCTION complex_number<T> log1p(complex_number<T> x) noexcept {
  const T size = abs(x);
  if (!(size < T(0.5))) return log(complex_number<T>(T(1) + x.re, x.im));
  return {T(0.5) * log1p(x.re * (T(2) + x.re) + x.im * x.im), atan2(x.im, T(1) + x.re)};
}

// As NumPy: products where the exponent is a small integer, and no NaN for powers of 0.
template <class T>
TROUPE_FUNCTION complex_number<T> power(complex_number<T> x, complex_number<T> y) noexcept {
  using complex = complex_number<T>;
  if (y == complex(0)) return complex(1);
  if (x == complex(0)) {
    if (y.re > T(0)) return complex(0);
    const T nan = x.re / x.re;
    return complex(nan, nan);
  }
  const bool small = (y.im == T(0)) & (y.re > T(-100)) & (y.re < T(100));
  if (!small || y.re != floor(y.re)) return exponential_power(x, y);
  int left = static_cast<int>(y.re < T(0) ? -y.re : y.re);
  complex out(1);
  for (complex factor = x; left != 0; left >>= 1, factor = factor * factor) {
    if (left & 1) out = out * factor;
  }
  return y.re < T(0) ? complex(1) / out : out;
}

}  // namespace troupe::scalar_functions
