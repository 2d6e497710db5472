// SPDX-License-Identifier: MIT
#include "troupe/tensor/scalar.hpp"

#include <charconv>
#include <cstring>

#include "troupe/tasks/error.hpp"

namespace troupe {

std::uint64_t scalar::bytes(dtype element) const noexcept {
  const auto exact = attribute(element);
  std::uint64_t out = 0;
  const auto store = [&out](auto value) { std::memcpy(&out, &value, sizeof value); };
  switch (element) {
    case dtype::boolean: store(exact.integer != 0); break;
    case dtype::int32: store(static_cast<std::int32_t>(exact.integer)); break;
    case dtype::int64: store(exact.integer); break;
    case dtype::float32: store(static_cast<float>(exact.real)); break;
    case dtype::float64: store(exact.real); break;
    case dtype::float16: store(float16_t(exact.real)); break;
    case dtype::bfloat16: store(bfloat16_t(exact.real)); break;
  }
  return out;
}

std::string to_string(scalar number) {
  const auto exact = number.attribute(number.own_dtype());
  if (number.type() == scalar::kind::truth) return exact.integer ? "true" : "false";
  char text[40];
  const auto end = number.is_real() ? std::to_chars(text, text + sizeof text, exact.real).ptr
                                    : std::to_chars(text, text + sizeof text, exact.integer).ptr;
  return {text, end};
}

void detail::check_fits(scalar number, dtype element, std::string_view what,
                        std::source_location where) {
  if (!number.fits(element))
    throw error(std::string(what) + ": " + to_string(number) + " does not fit " +
                    std::string(name(element)),
                where);
}

}  // namespace troupe
