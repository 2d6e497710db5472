// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <limits>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe {

/// C++ types bool, integer, real number, std::complex<float> and std::complex<double>.
template <class T>
concept arithmetic = std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<float>> ||
    std::is_same_v<T, std::complex<double>>;

/// Number whose dtype yields to that of the tensor it meets, as a Python number's does in NumPy:
/// float32 + 1.5 is float32, int32 + 1 is int32, int32 + 1.5 is float64, bool + 1 is int64, float32
/// times a complex number is complex64.
class scalar {
 public:
  enum class kind : std::uint8_t {
    truth,
    integer,
    natural,  ///< an integer above those of int64
    real,
    complex
  };

  template <arithmetic T>
  constexpr scalar(T value) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
      integer_ = value;
      kind_ = kind::truth;
    } else if constexpr (std::is_integral_v<T>) {
      const bool above = std::is_unsigned_v<T> && static_cast<std::uint64_t>(value) > INT64_MAX;
      integer_ = static_cast<std::int64_t>(value);  // NOLINT(bugprone-signed-char-misuse): a number
      kind_ = above ? kind::natural : kind::integer;
    } else if constexpr (!std::is_arithmetic_v<T>) {
      real_ = static_cast<double>(value.real());
      imaginary_ = static_cast<double>(value.imag());
      kind_ = kind::complex;
    } else {
      real_ = static_cast<double>(value);
      kind_ = kind::real;
    }
  }

  constexpr kind type() const noexcept { return kind_; }
  constexpr bool is_real() const noexcept { return kind_ == kind::real; }
  constexpr bool is_complex() const noexcept { return kind_ == kind::complex; }
  /// Returns the number, or its real part.
  constexpr double real() const noexcept {
    if (is_real() || is_complex()) return real_;
    return kind_ == kind::natural ? static_cast<double>(natural()) : static_cast<double>(integer_);
  }
  constexpr double imaginary() const noexcept { return imaginary_; }
  /// Returns the exact number, for kernels that write elements of a dtype that it fits.
  constexpr scalar_attribute attribute(dtype element) const noexcept {
    if (element == boolean)
      return imaginary_ != 0 || (is_real() || is_complex() ? real_ != 0 : integer_ != 0);
    if (is_complex()) return scalar_attribute(std::complex<double>(real_, imaginary_));
    if (kind_ == kind::natural) return scalar_attribute(natural());
    return is_real() ? scalar_attribute(real_) : scalar_attribute(integer_);
  }

  /// Returns the dtype without a tensor to yield to: bool, int64, uint64, float64 or complex128.
  constexpr dtype own_dtype() const noexcept {
    constexpr dtype of[] = {boolean, int64, uint64, float64, complex128};
    return of[static_cast<int>(kind_)];
  }
  /// Returns the dtype of a result with tensors that promote to `other`.
  constexpr dtype with(dtype other) const noexcept {
    if (is_complex()) return complex_of(other);
    if (is_inexact(other)) return other;
    return is_real() || other == boolean ? own_dtype() : other;
  }
  /// Returns true if `element` can hold the number, apart from its fraction: an integer dtype holds
  /// no number out of its range, and no NaN, and a real one none with an imaginary part.
  constexpr bool fits(dtype element) const noexcept {
    if (is_complex() && imaginary_ != 0) return troupe::is_complex(element) || element == boolean;
    if (!is_integer(element)) return true;
    return visit(element, [this](auto zero) { return within<decltype(zero)>(); });
  }
  /// Returns its bytes as an element of a real dtype that it fits; a fraction is truncated for
  /// integers.
  std::uint64_t bytes(dtype element) const noexcept;

 private:
  constexpr std::uint64_t natural() const noexcept { return static_cast<std::uint64_t>(integer_); }

  template <class T>
  constexpr bool within() const noexcept {
    if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>) return true;
    else {
      using limits = std::numeric_limits<T>;
      if (kind_ == kind::natural) return std::in_range<T>(natural());
      if (!is_real() && !is_complex()) return std::in_range<T>(integer_);
      // The greatest number may have no double of its own, but the power of 2 above it has.
      constexpr T half = limits::max() / 2 + 1;
      constexpr double end = 2 * static_cast<double>(half);
      constexpr auto least = static_cast<double>(limits::lowest());
      return (least - 1 == least ? real_ >= least : real_ > least - 1) && real_ < end;
    }
  }

  union {
    std::int64_t integer_;
    double real_;
  };
  double imaginary_ = 0;
  kind kind_;
};

/// Returns text such as "3", "1.5", "true", "1+2j".
std::string to_string(scalar number);

namespace detail {

/// Throws unless `number` fits `element`: `add: 3000000000 does not fit int32`.
void check_fits(scalar number, dtype element, std::string_view what, std::source_location where);

}  // namespace detail

}  // namespace troupe
