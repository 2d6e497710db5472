// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "troupe/devices/narrow_float.hpp"

namespace troupe {

/// The type of a tensor's elements.
enum class dtype : std::uint8_t { boolean, int32, int64, float32, float64, float16, bfloat16 };

inline constexpr dtype boolean = dtype::boolean;
inline constexpr dtype int32 = dtype::int32;
inline constexpr dtype int64 = dtype::int64;
inline constexpr dtype float32 = dtype::float32;
inline constexpr dtype float64 = dtype::float64;
inline constexpr dtype float16 = dtype::float16;  ///< IEEE 754's binary16, computed in float32
inline constexpr dtype bfloat16 =
    dtype::bfloat16;  ///< the upper half of a float32, computed in that

inline constexpr dtype all_dtypes[] = {boolean, int32, int64, float32, float64, float16, bfloat16};
/// The dtypes that kernels compute in.
inline constexpr dtype computed_dtypes[] = {boolean, int32, int64, float32, float64};

/// Bytes of one element.
constexpr std::size_t size_of(dtype t) noexcept {
  constexpr std::size_t sizes[] = {1, 4, 8, 4, 8, 2, 2};
  return sizes[static_cast<std::size_t>(t)];
}

/// NumPy's name, which is PyTorch's too: "bool", "int32", ...
constexpr std::string_view name(dtype t) noexcept {
  constexpr std::string_view names[] = {"bool",    "int32",   "int64",   "float32",
                                        "float64", "float16", "bfloat16"};
  return names[static_cast<std::size_t>(t)];
}

constexpr bool is_floating(dtype t) noexcept { return t >= dtype::float32; }
constexpr bool is_integer(dtype t) noexcept { return t == dtype::int32 || t == dtype::int64; }
/// A float of 16 bits: memory holds it, and what is computed with it is computed in float32.
constexpr bool is_narrow(dtype t) noexcept { return t >= dtype::float16; }
/// The dtype that kernels compute in for elements of this one.
constexpr dtype computed(dtype t) noexcept { return is_narrow(t) ? dtype::float32 : t; }

/// The dtype of a binary operation's result, as NumPy promotes: bool gives way to all, int32 to
/// int64, and an integer with a float of 32 or 16 bits becomes float64, which holds both exactly.
/// float16 gives way to float32, as does bfloat16, and both do where they meet.
constexpr dtype promote(dtype a, dtype b) noexcept {
  if (a == b) return a;
  if (a > b) return promote(b, a);
  if (is_integer(a) && is_floating(b)) return dtype::float64;
  if (is_narrow(a) || (is_floating(a) && is_narrow(b))) return computed(a);
  return b;
}

/// C++ types that elements may have.
template <class T>
inline constexpr bool is_element = std::is_same_v<T, bool> || std::is_same_v<T, float> ||
                                   std::is_same_v<T, double> || std::is_same_v<T, float16_t> ||
                                   std::is_same_v<T, bfloat16_t> ||
                                   (std::is_integral_v<T> && std::is_signed_v<T> &&
                                    (sizeof(T) == 4 || sizeof(T) == 8));

template <class T>
constexpr dtype dtype_of() noexcept {
  if constexpr (std::is_same_v<T, bool>) return dtype::boolean;
  else if constexpr (std::is_same_v<T, float>) return dtype::float32;
  else if constexpr (std::is_same_v<T, double>) return dtype::float64;
  else if constexpr (std::is_same_v<T, float16_t>) return dtype::float16;
  else if constexpr (std::is_same_v<T, bfloat16_t>) return dtype::bfloat16;
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 4)
    return dtype::int32;
  else {
    static_assert(
        std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 8,
        "an element is bool, a 32 or 64 bit signed integer, float, double or a narrow float");
    return dtype::int64;
  }
}

/// Calls `f` with a value of the C++ type that `t` stands for: `visit(t, [&](auto zero) { using T =
/// decltype(zero); ... })`.
template <class F>
constexpr decltype(auto) visit(dtype t, F&& f) {
  switch (t) {
    case dtype::boolean: return f(bool{});
    case dtype::int32: return f(std::int32_t{});
    case dtype::int64: return f(std::int64_t{});
    case dtype::float32: return f(float{});
    case dtype::float16: return f(float16_t{});
    case dtype::bfloat16: return f(bfloat16_t{});
    case dtype::float64: break;
  }
  return f(double{});
}

/// The same, for those that kernels compute in.
template <class F>
constexpr decltype(auto) visit_computed(dtype t, F&& f) {
  switch (t) {
    case dtype::boolean: return f(bool{});
    case dtype::int32: return f(std::int32_t{});
    case dtype::int64: return f(std::int64_t{});
    case dtype::float32: return f(float{});
    default: return f(double{});
  }
}

}  // namespace troupe
