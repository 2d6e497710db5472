// SPDX-License-Identifier: MIT
#include "troupe/tensor/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace troupe {

namespace {

constexpr int most_digits = 8;

/// Writes a number with as few digits as tell it from its neighbours.
template <class T>
std::string shortest(T number, std::chars_format how) {
  char text[512];
  return {text, std::to_chars(text, text + sizeof text, number, how).ptr};
}

template <class T>
std::string rounded(T number, std::chars_format how, int digits) {
  char text[512];
  return {text, std::to_chars(text, text + sizeof text, number, how, digits).ptr};
}

/// Parts of a number with an exponent: sign and digit before the point, digits after it, exponent's
/// sign and digits.
struct parts {
  std::string whole, fraction, exponent;
};

parts split(const std::string& text) {
  const auto e = text.find('e');
  const auto mantissa = text.substr(0, e);
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  return {mantissa.substr(0, point), point < mantissa.size() ? mantissa.substr(point + 1) : "",
          e == std::string::npos ? "" : text.substr(e + 1)};
}

void trim_zeros(std::string& digits) { digits.erase(digits.find_last_not_of('0') + 1); }

/// Splits a number written with as few digits as are unique, but at most `most_digits` after the
/// point.
template <class T>
parts unique_parts(T number, std::chars_format how) {
  auto out = split(shortest(number, how));
  if (out.fraction.size() > most_digits) {
    out = split(rounded(number, how, most_digits));
    trim_zeros(out.fraction);
  }
  return out;
}

template <class T>
std::string nonfinite_text(T number) {
  return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
}

template <class T>
double shortest_of(T x) {
  const float exact = x;
  for (int digits = 0; std::isfinite(exact); ++digits) {
    const auto text = rounded(exact, std::chars_format::scientific, digits);
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (T(number).bits == x.bits) return number;
  }
  return exact;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

}  // namespace

template <class T>
real_format<T>::real_format(std::span<const T> numbers) {
  T greatest = 0, smallest = 0;
  bool any_finite = false;
  std::size_t nonfinite_width = 0;
  for (const T n : numbers) {
    if (!std::isfinite(n)) {
      nonfinite_width = std::max(nonfinite_width, nonfinite_text(n).size());
      continue;
    }
    any_finite = true;
    const T size = std::abs(n);
    if (size == 0) continue;
    greatest = std::max(greatest, size);
    smallest = smallest == 0 ? size : std::min(smallest, size);
  }
  exponents_ = smallest != 0 && (greatest >= T(1e8) || static_cast<double>(smallest) < 0.0001 ||
                                 greatest / smallest > T(1000));
  for (const T n : numbers) {
    if (!std::isfinite(n)) continue;
    const auto p =
        unique_parts(n, exponents_ ? std::chars_format::scientific : std::chars_format::fixed);
    left_ = std::max(left_, p.whole.size());
    right_ = std::max(right_, p.fraction.size());
    if (exponents_) exponent_digits_ = std::max(exponent_digits_, p.exponent.size() - 1);
  }
  if (exponents_) {
    fraction_digits_ = static_cast<int>(right_);
    right_ += exponent_digits_ + 2;
  }
  if (nonfinite_width > left_ + right_ + 1) left_ = nonfinite_width - right_ - 1;
  if (!any_finite) left_ = std::max<std::size_t>(nonfinite_width, 1) - 1;
}

template <class T>
std::string real_format<T>::text(T number) const {
  if (!std::isfinite(number)) return padded(nonfinite_text(number), left_ + right_ + 1);
  if (!exponents_) {
    auto p = unique_parts(number, std::chars_format::fixed);
    p.fraction.resize(right_, ' ');
    return padded(p.whole, left_) + "." + p.fraction;
  }
  auto p = unique_parts(number, std::chars_format::scientific);
  p.fraction.resize(static_cast<std::size_t>(fraction_digits_), '0');
  const auto digits = p.exponent.substr(1);
  return padded(p.whole, left_) + "." + p.fraction + "e" + p.exponent[0] +
         std::string(exponent_digits_ - digits.size(), '0') + digits;
}

template <class T>
std::string real_text(T number) {
  if (!std::isfinite(number)) return nonfinite_text(number);
  const T size = std::abs(number);
  if (size != 0 && (size < T(1e-4) || size >= T(1e16)))
    return shortest(number, std::chars_format::scientific);
  auto out = shortest(number, std::chars_format::fixed);
  if (out.find('.') != std::string::npos) return out;
  // A whole number: digits beyond the significant ones become zeros.
  const auto p = split(shortest(number, std::chars_format::scientific));
  auto digits = p.whole + p.fraction;
  digits.resize(out.size(), '0');
  return digits + ".0";
}

double shortest_number(float16_t x) { return shortest_of(x); }
double shortest_number(bfloat16_t x) { return shortest_of(x); }

template class real_format<float>;
template class real_format<double>;
template std::string real_text(float);
template std::string real_text(double);

}  // namespace troupe
