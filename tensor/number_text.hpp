// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "troupe/devices/narrow_float.hpp"

namespace troupe {

/// Common format for the real numbers of one array, as in NumPy: at most 8 digits after the point,
/// as few as tell the numbers apart, decimal points aligned, exponents if the magnitudes differ
/// much.
template <class T>
class real_format {
 public:
  explicit real_format(std::span<const T> numbers);

  std::string text(T number) const;

 private:
  bool exponents_ = false;
  std::size_t left_ = 0;   // characters before the point
  std::size_t right_ = 0;  // characters after the point
  std::size_t exponent_digits_ = 0;
  int fraction_digits_ = 0;  // digits after the point with exponents
};

/// Returns one real number on its own, with as few digits as tell it from its neighbours: "3.0",
/// "1e-05", "nan".
template <class T>
std::string real_text(T number);

/// Returns the number with the fewest decimal digits that identifies a narrow float; written as a
/// double it has these digits. Infinity and NaN stay.
double shortest_number(float16_t x);
double shortest_number(bfloat16_t x);

}  // namespace troupe
