// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "troupe/devices/narrow_float.hpp"

namespace troupe {

/// The type of a tensor's elements: first the real ones that kernels compute in, then those that
/// memory holds and that are computed in a wider one, and complex numbers.
enum class dtype : std::uint8_t {
  boolean,
  int32,
  int64,
  uint64,
  float32,
  float64,
  float16,
  bfloat16,
  int8,
  int16,
  uint8,
  uint16,
  uint32,
  complex64,
  complex128
};

inline constexpr dtype boolean = dtype::boolean;
inline constexpr dtype int8 = dtype::int8;
inline constexpr dtype int16 = dtype::int16;
inline constexpr dtype int32 = dtype::int32;
inline constexpr dtype int64 = dtype::int64;
inline constexpr dtype uint8 = dtype::uint8;
inline constexpr dtype uint16 = dtype::uint16;
inline constexpr dtype uint32 = dtype::uint32;
inline constexpr dtype uint64 = dtype::uint64;
inline constexpr dtype float32 = dtype::float32;
inline constexpr dtype float64 = dtype::float64;
inline constexpr dtype float16 = dtype::float16;  ///< IEEE 754's binary16, computed in float32
inline constexpr dtype bfloat16 =
    dtype::bfloat16;  ///< the upper half of a float32, computed in that

inline constexpr dtype complex64 = dtype::complex64;  ///< two float32: real and imaginary part
inline constexpr dtype complex128 = dtype::complex128;

inline constexpr dtype all_dtypes[] = {boolean, int32,   int64,    uint64,    float32,
                                       float64, float16, bfloat16, int8,      int16,
                                       uint8,   uint16,  uint32,   complex64, complex128};
inline constexpr dtype last_dtype = dtype::complex128;
inline constexpr int dtype_count = static_cast<int>(sizeof all_dtypes / sizeof all_dtypes[0]);
/// Those that are not complex.
inline constexpr dtype real_dtypes[] = {boolean,  int32, int64, uint64, float32, float64, float16,
                                        bfloat16, int8,  int16, uint8,  uint16,  uint32};
/// The real dtypes that kernels compute in.
inline constexpr dtype computed_dtypes[] = {boolean, int32, int64, uint64, float32, float64};

/// A dtype's place in tables that have one entry for each.
constexpr std::size_t number_of(dtype t) noexcept { return static_cast<std::size_t>(t); }

namespace detail {

// Not in the function, which would copy them to the stack at each call.
inline constexpr std::uint8_t element_sizes[] = {1, 4, 8, 8, 4, 8, 2, 2, 1, 2, 1, 2, 4, 8, 16};
inline constexpr dtype signed_dtypes[] = {int8, int16, int32, int64};

}  // namespace detail

/// Bytes of one element.
constexpr std::size_t size_of(dtype t) noexcept { return detail::element_sizes[number_of(t)]; }

/// The most bytes that one element has.
inline constexpr std::size_t largest_element = size_of(complex128);

/// NumPy's name, which is PyTorch's too: "bool", "int32", ...
constexpr std::string_view name(dtype t) noexcept {
  constexpr std::string_view names[] = {
      "bool", "int32", "int64", "uint64", "float32", "float64",   "float16",   "bfloat16",
      "int8", "int16", "uint8", "uint16", "uint32",  "complex64", "complex128"};
  return names[number_of(t)];
}

constexpr bool is_floating(dtype t) noexcept { return t >= dtype::float32 && t <= dtype::bfloat16; }
constexpr bool is_complex(dtype t) noexcept { return t >= dtype::complex64; }
/// Real or complex numbers that are rounded: those that gradients are of.
constexpr bool is_inexact(dtype t) noexcept { return is_floating(t) || is_complex(t); }
constexpr bool is_unsigned(dtype t) noexcept {
  return t == dtype::uint64 || (t >= dtype::uint8 && t <= dtype::uint32);
}
constexpr bool is_integer(dtype t) noexcept {
  return (t >= dtype::int32 && t <= dtype::uint64) || (t >= dtype::int8 && t <= dtype::uint32);
}
/// Memory holds it, and what is computed with it is computed in a wider dtype: floats and integers
/// of 8 and 16 bits, and uint32.
constexpr bool is_narrow(dtype t) noexcept { return t >= dtype::float16 && t <= dtype::uint32; }
constexpr bool is_narrow_float(dtype t) noexcept { return is_narrow(t) && is_floating(t); }
constexpr bool is_narrow_integer(dtype t) noexcept { return is_narrow(t) && is_integer(t); }
/// The dtype that kernels compute in for elements of this one. Integers wrap when they are stored,
/// which gives the bits that narrow arithmetic gives.
constexpr dtype computed(dtype t) noexcept {
  if (!is_narrow(t)) return t;
  if (is_floating(t)) return dtype::float32;
  return t == dtype::uint32 ? dtype::int64 : dtype::int32;
}

/// The dtype of a complex number's parts; a real dtype is its own.
constexpr dtype real_of(dtype t) noexcept {
  return !is_complex(t) ? t : t == dtype::complex64 ? dtype::float32 : dtype::float64;
}
/// The smallest complex dtype that holds a real one: complex64 for floats and integers that float32
/// holds. A complex dtype is its own.
constexpr dtype complex_of(dtype t) noexcept {
  if (is_complex(t)) return t;
  const bool small = t == dtype::boolean || t == dtype::float32 || is_narrow_float(t) ||
                     (is_integer(t) && size_of(t) < 4);
  return small ? dtype::complex64 : dtype::complex128;
}

namespace detail {

constexpr dtype signed_of(std::size_t bytes) noexcept {
  return signed_dtypes[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3];
}

}  // namespace detail

/// The dtype of a binary operation's result, as NumPy and the array API standard promote. bool
/// gives way to all. Integers become the smallest that holds both; uint64 and a signed one become
/// float64. An integer and a float become the smallest float, not below that one, that holds all
/// integers of the dtype: float64 for 32 bits and more. float16 gives way to float32, as does
/// bfloat16, and both do where they meet. A complex and a real dtype become the smallest complex
/// one that holds both.
constexpr dtype promote(dtype a, dtype b) noexcept {
  if (a == b || b == boolean) return a;
  if (a == boolean) return b;
  if (is_complex(a) || is_complex(b))
    return complex_of(a) == complex_of(b) ? complex_of(a) : dtype::complex128;
  if (is_floating(a) && is_floating(b)) {
    if (is_narrow(a) && is_narrow(b)) return dtype::float32;
    return size_of(a) > size_of(b) ? a : b;
  }
  if (is_floating(b)) return promote(b, a);
  if (is_floating(a)) {
    if (size_of(b) == 1 || a == dtype::float64) return a;
    return size_of(b) == 2 ? dtype::float32 : dtype::float64;
  }
  if (is_unsigned(a) == is_unsigned(b)) return size_of(a) > size_of(b) ? a : b;
  if (is_unsigned(b)) return promote(b, a);
  if (size_of(b) > size_of(a)) return b;
  return a == dtype::uint64 ? dtype::float64 : detail::signed_of(2 * size_of(a));
}

/// C++ types that elements may have.
template <class T>
inline constexpr bool is_element =
    std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t> ||
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <class T>
constexpr dtype dtype_of() noexcept {
  static_assert(
      is_element<T>,
      "an element is bool, an integer, float, double, a narrow float or a complex number");
  if constexpr (std::is_same_v<T, bool>) return dtype::boolean;
  else if constexpr (std::is_same_v<T, float>) return dtype::float32;
  else if constexpr (std::is_same_v<T, double>) return dtype::float64;
  else if constexpr (std::is_same_v<T, float16_t>) return dtype::float16;
  else if constexpr (std::is_same_v<T, bfloat16_t>) return dtype::bfloat16;
  else if constexpr (std::is_same_v<T, std::complex<float>>) return dtype::complex64;
  else if constexpr (std::is_same_v<T, std::complex<double>>) return dtype::complex128;
  else if constexpr (std::is_signed_v<T>) return detail::signed_of(sizeof(T));
  else if constexpr (sizeof(T) == 8) return dtype::uint64;
  else if constexpr (sizeof(T) == 4) return dtype::uint32;
  else return sizeof(T) == 2 ? dtype::uint16 : dtype::uint8;
}

/// True for the real dtypes that kernels compute in.
constexpr bool is_computed(dtype t) noexcept { return t <= dtype::float64; }

/// Calls `f` with a value of the C++ type that `t`, a real dtype that kernels compute in, stands
/// for: `visit_computed(t, [&](auto zero) { using T = decltype(zero); ... })`.
template <class F>
constexpr decltype(auto) visit_computed(dtype t, F&& f) {
  switch (t) {
    case dtype::boolean: return f(bool{});
    case dtype::int32: return f(std::int32_t{});
    case dtype::int64: return f(std::int64_t{});
    case dtype::uint64: return f(std::uint64_t{});
    case dtype::float32: return f(float{});
    default: return f(double{});
  }
}

/// Calls `f` so for each dtype that kernels compute in.
template <class F>
constexpr void for_each_computed(F&& f) {
  for (const auto t : computed_dtypes) visit_computed(t, f);
}

/// Calls `f` so for each narrow integer dtype.
template <class F>
constexpr void for_each_narrow_integer(F&& f) {
  f(std::int8_t{});
  f(std::int16_t{});
  f(std::uint8_t{});
  f(std::uint16_t{});
  f(std::uint32_t{});
}

/// The same, for all real dtypes.
template <class F>
constexpr decltype(auto) visit(dtype t, F&& f) {
  switch (t) {
    case dtype::float16: return f(float16_t{});
    case dtype::bfloat16: return f(bfloat16_t{});
    case dtype::int8: return f(std::int8_t{});
    case dtype::int16: return f(std::int16_t{});
    case dtype::uint8: return f(std::uint8_t{});
    case dtype::uint16: return f(std::uint16_t{});
    case dtype::uint32: return f(std::uint32_t{});
    default: return visit_computed(t, static_cast<F&&>(f));
  }
}

}  // namespace troupe
