// SPDX-License-Identifier: MIT
#include "troupe/tensor/io/number_field.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>
#include <type_traits>

namespace troupe {

namespace {

template <class T>
number_problem read_all(std::string_view text, T& out) noexcept {
  const auto* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, out);
  if (problem == std::errc::invalid_argument || stop != end) return number_problem::not_a_number;
  return problem == std::errc{} ? number_problem::none : number_problem::out_of_range;
}

// std::from_chars says the same of numbers that are too large and too small: more range tells them
// apart.
template <class T>
number_problem read_extreme(std::string_view text, T& out) noexcept {
  long double wide = 0;
  if (read_all(text, wide) != number_problem::none) return number_problem::out_of_range;
  out = static_cast<T>(wide);
  return std::isinf(out) ? number_problem::out_of_range : number_problem::none;
}

}  // namespace

template <class T>
number_problem read_number(std::string_view text, T& out) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    out = text == "1" || text == "true" || text == "True" || text == "TRUE";
    const bool known = out || text == "0" || text == "false" || text == "False" || text == "FALSE";
    return known ? number_problem::none : number_problem::not_a_number;
  } else {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    const auto problem = read_all(text, out);
    if constexpr (std::is_floating_point_v<T>)
      if (problem == number_problem::out_of_range) return read_extreme(text, out);
    return problem;
  }
}

template number_problem read_number(std::string_view, bool&) noexcept;
template number_problem read_number(std::string_view, std::int32_t&) noexcept;
template number_problem read_number(std::string_view, std::int64_t&) noexcept;
template number_problem read_number(std::string_view, float&) noexcept;
template number_problem read_number(std::string_view, double&) noexcept;

}  // namespace troupe
