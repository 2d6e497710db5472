// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe {

/// C++ types bool, integer or real number.
template <class T>
concept arithmetic = std::is_arithmetic_v<T>;

/// Number whose dtype yields to that of the tensor it meets, as a Python number's does in NumPy:
/// float32 + 1.5 is float32, int32 + 1 is int32, int32 + 1.5 is float64, bool + 1 is int64.
class scalar {
 public:
  enum class kind : std::uint8_t { truth, integer, real };

  template <arithmetic T>
  constexpr scalar(T value) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
      integer_ = value;
      kind_ = kind::truth;
    } else if constexpr (std::is_integral_v<T>) {
      if (std::is_unsigned_v<T> && static_cast<std::uint64_t>(value) > INT64_MAX) {
        real_ = static_cast<double>(value);
        kind_ = kind::real;
      } else {
        integer_ = static_cast<std::int64_t>(value);
        kind_ = kind::integer;
      }
    } else {
      real_ = static_cast<double>(value);
      kind_ = kind::real;
    }
  }

  constexpr kind type() const noexcept { return kind_; }
  constexpr bool is_real() const noexcept { return kind_ == kind::real; }
  constexpr double real() const noexcept {
    return is_real() ? real_ : static_cast<double>(integer_);
  }
  /// Returns the exact number, for kernels that write elements of a dtype that it fits.
  constexpr scalar_attribute attribute(dtype element) const noexcept {
    if (element == boolean) return is_real() ? real_ != 0 : integer_ != 0;
    return is_real() ? scalar_attribute(real_) : scalar_attribute(integer_);
  }

  /// Returns the dtype without a tensor to yield to: bool, int64 or float64.
  constexpr dtype own_dtype() const noexcept {
    return is_real() ? dtype::float64 : kind_ == kind::integer ? dtype::int64 : dtype::boolean;
  }
  /// Returns the dtype of a result with tensors that promote to `other`.
  constexpr dtype with(dtype other) const noexcept {
    if (is_floating(other)) return other;
    return is_real() || other == boolean ? own_dtype() : other;
  }
  /// Returns true if `element` can hold the number, apart from its fraction: an integer dtype holds
  /// no number out of its range, and no NaN.
  constexpr bool fits(dtype element) const noexcept {
    if (!is_integer(element)) return true;
    if (!is_real()) return element != int32 || (integer_ >= INT32_MIN && integer_ <= INT32_MAX);
    return element == int32 ? real_ > -0x1p31 - 1 && real_ < 0x1p31
                            : real_ >= -0x1p63 && real_ < 0x1p63;
  }
  /// Returns its bytes as an element of a dtype that it fits; a fraction is truncated for integers.
  std::uint64_t bytes(dtype element) const noexcept;

 private:
  union {
    std::int64_t integer_;
    double real_;
  };
  kind kind_;
};

/// Returns text such as "3", "1.5", "true".
std::string to_string(scalar number);

namespace detail {

/// Throws unless `number` fits `element`: `add: 3000000000 does not fit int32`.
void check_fits(scalar number, dtype element, std::string_view what, std::source_location where);

}  // namespace detail

}  // namespace troupe
