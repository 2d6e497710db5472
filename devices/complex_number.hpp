// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "troupe/devices/dtype.hpp"

#ifdef __CUDACC__
#define TROUPE_INLINE __host__ __device__ __forceinline__
#else
#define TROUPE_INLINE [[gnu::always_inline]] inline
#endif

/// Rounds a product. GCC 12 makes one instruction of a product and of sums and differences that
/// alternate, though -ffp-contract=off forbids it, and only where loops are vectorised.
#if defined(__CUDACC__) || defined(__clang__)
#define TROUPE_ROUNDED(x) (x)
#else
#define TROUPE_ROUNDED(x) __builtin_assoc_barrier(x)
#endif

namespace troupe {

/// A complex number as kernels compute with it, for the CPU and for CUDA; in memory it lies as
/// std::complex does. Products and quotients are as in NumPy: without a second look at NaN, and by
/// Smith's division (Communications of the ACM 5, 1962, algorithm 116). All is inlined, so that no
/// two instruction sets share a function.
template <class T>
struct complex_number {
  T re;
  T im;

  complex_number() = default;
  TROUPE_INLINE constexpr complex_number(T real, T imaginary = T(0)) noexcept
      : re(real), im(imaginary) {}

  template <class Part>
  TROUPE_INLINE explicit constexpr complex_number(complex_number<Part> x) noexcept
      : re(static_cast<T>(x.re)), im(static_cast<T>(x.im)) {}

  TROUPE_INLINE friend constexpr complex_number operator-(complex_number x) noexcept {
    return {-x.re, -x.im};
  }
  TROUPE_INLINE friend constexpr complex_number operator+(complex_number x,
                                                          complex_number y) noexcept {
    return {x.re + y.re, x.im + y.im};
  }
  TROUPE_INLINE friend constexpr complex_number operator-(complex_number x,
                                                          complex_number y) noexcept {
    return {x.re - y.re, x.im - y.im};
  }
  TROUPE_INLINE friend constexpr complex_number operator*(complex_number x,
                                                          complex_number y) noexcept {
    return {TROUPE_ROUNDED(x.re * y.re) - TROUPE_ROUNDED(x.im * y.im),
            TROUPE_ROUNDED(x.re * y.im) + TROUPE_ROUNDED(x.im * y.re)};
  }
  TROUPE_INLINE friend constexpr complex_number operator/(complex_number x,
                                                          complex_number y) noexcept {
    const T re = y.re < 0 ? -y.re : y.re, im = y.im < 0 ? -y.im : y.im;
    if (re >= im) {
      if (re == 0 && im == 0) return {x.re / re, x.im / re};
      const T ratio = y.im / y.re, scale = T(1) / (y.re + TROUPE_ROUNDED(y.im * ratio));
      return {(x.re + TROUPE_ROUNDED(x.im * ratio)) * scale,
              (x.im - TROUPE_ROUNDED(x.re * ratio)) * scale};
    }
    const T ratio = y.re / y.im, scale = T(1) / (y.im + TROUPE_ROUNDED(y.re * ratio));
    return {(TROUPE_ROUNDED(x.re * ratio) + x.im) * scale,
            (TROUPE_ROUNDED(x.im * ratio) - x.re) * scale};
  }
  TROUPE_INLINE friend constexpr bool operator==(complex_number x, complex_number y) noexcept {
    return (x.re == y.re) & (x.im == y.im);
  }
  TROUPE_INLINE friend constexpr bool operator!=(complex_number x, complex_number y) noexcept {
    return (x.re != y.re) | (x.im != y.im);
  }
};

template <class T>
inline constexpr bool is_complex_number = false;
template <class T>
inline constexpr bool is_complex_number<complex_number<T>> = true;

/// The dtype of the numbers that kernels compute with.
template <class T>
constexpr dtype number_dtype() noexcept {
  if constexpr (std::is_same_v<T, complex_number<float>>) return complex64;
  else if constexpr (std::is_same_v<T, complex_number<double>>) return complex128;
  else return dtype_of<T>();
}

namespace detail {

template <class T>
struct parts_of {
  using type = T;
};
template <class T>
struct parts_of<complex_number<T>> {
  using type = T;
};

}  // namespace detail

/// The type of a complex number's parts; a real number's is its own.
template <class T>
using part_of = typename detail::parts_of<T>::type;

/// Calls `f` with a value of the type that kernels compute in for `t`, a complex dtype.
template <class F>
constexpr decltype(auto) visit_complex(dtype t, F&& f) {
  if (t == complex64) return f(complex_number<float>{});
  return f(complex_number<double>{});
}

}  // namespace troupe
