// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include "troupe/tensor/scalar.hpp"

namespace troupe::detail {

/// A number or a list of these, as read from `{{1., 2.}, {3., 4.}}`. Lives no longer than the
/// expression.
class nested_numbers {
 public:
  template <arithmetic T>
  nested_numbers(T number) noexcept
      : number_(number),
        element_(std::is_same_v<T, float>                 ? dtype::float32
                 : std::is_same_v<T, std::complex<float>> ? dtype::complex64
                                                          : number_.own_dtype()) {}
  nested_numbers(std::initializer_list<nested_numbers> rows) noexcept
      : rows_(rows), is_list_(true) {}

  bool is_list() const noexcept { return is_list_; }
  std::initializer_list<nested_numbers> rows() const noexcept { return rows_; }
  scalar number() const noexcept { return number_; }
  /// Returns the dtype of a number by its C++ type: bool, int64, float32 (a float), float64,
  /// complex64 or complex128.
  dtype element() const noexcept { return element_; }

 private:
  std::initializer_list<nested_numbers> rows_;
  scalar number_ = 0;
  dtype element_ = dtype::boolean;
  bool is_list_ = false;
};

}  // namespace troupe::detail
