// SPDX-License-Identifier: MIT
#include "troupe/tensor/scalar.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "troupe/tasks/error.hpp"

namespace troupe {

std::uint64_t scalar::bytes(dtype element) const noexcept {
  const auto exact = attribute(element);
  std::uint64_t out = 0;
  const auto store = [&out](auto value) { std::memcpy(&out, &value, sizeof value); };
  visit(element, [&]<class T>(T) {
    if constexpr (is_floating(dtype_of<T>())) store(static_cast<T>(exact.real));
    else store(static_cast<T>(exact.integer));
  });
  return out;
}

std::string to_string(scalar number) {
  const auto exact = number.attribute(number.own_dtype());
  if (number.type() == scalar::kind::truth) return exact.integer ? "true" : "false";
  char text[40];
  const auto written = [&](auto x) {
    return std::string(text, std::to_chars(text, text + sizeof text, x).ptr);
  };
  if (number.is_complex())
    return written(exact.real) + (std::signbit(exact.imaginary) ? "" : "+") +
           written(exact.imaginary) + 'j';
  if (number.is_real()) return written(exact.real);
  if (number.type() == scalar::kind::integer) return written(exact.integer);
  return written(static_cast<std::uint64_t>(exact.integer));
}

void detail::check_fits(scalar number, dtype element, std::string_view what,
                        std::source_location where) {
  if (!number.fits(element))
    throw error(std::string(what) + ": " + to_string(number) + " does not fit " +
                    std::string(name(element)),
                where);
}

}  // namespace troupe
