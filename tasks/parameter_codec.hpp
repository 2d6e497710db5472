// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/dtype.hpp"
#include "troupe/tasks/attributes.hpp"
#include "troupe/tasks/byte_stream.hpp"

namespace troupe {

/// The way of an operation's parameters to another process. `read` throws bytes_error for bytes
/// that are none.
struct parameter_codec {
  void (*write)(const attributes& given, byte_writer& to);
  attributes (*read)(byte_reader& from);
};

namespace detail {

struct any_field {
  template <class T>
  operator T() const;  // declared only: it stands for a field of any type
};

/// The number of fields of an aggregate.
template <class T, class... Fields>
constexpr std::size_t count_fields() {
  if constexpr (requires { T{Fields{}..., any_field{}}; })
    return count_fields<T, Fields..., any_field>();
  else return sizeof...(Fields);
}

/// Calls `f` with the fields of an aggregate.
template <class T, class Function>
void with_fields(T& x, const Function& f) {
  constexpr auto count = count_fields<std::remove_const_t<T>>();
  static_assert(count >= 1 && count <= 7);
  if constexpr (count == 1) {
    auto& [a] = x;
    f(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = x;
    f(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = x;
    f(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = x;
    f(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = x;
    f(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, g] = x;
    f(a, b, c, d, e, g);
  } else {
    auto& [a, b, c, d, e, g, h] = x;
    f(a, b, c, d, e, g, h);
  }
}

/// Structs of nothing but int64, some of them in arrays.
template <class T>
inline constexpr bool all_integers = false;
template <>
inline constexpr bool all_integers<convolution_attributes> = true;
template <>
inline constexpr bool all_integers<pooling_attributes> = true;
template <>
inline constexpr bool all_integers<strided_part> = true;

template <class T>
using integers_of = std::array<std::int64_t, sizeof(T) / sizeof(std::int64_t)>;

template <class T>
void write_field(const T& x, byte_writer& to) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    to.put(x);
  } else if constexpr (std::is_same_v<T, scalar_attribute>) {
    to.put(x.real), to.put(x.integer), to.put(x.imaginary);
  } else if constexpr (std::is_same_v<T, part_attributes>) {
    write_field(*x.part, to);
  } else if constexpr (all_integers<T>) {
    for (const auto one : std::bit_cast<integers_of<T>>(x)) to.put(one);
  } else {
    with_fields(x, [&](const auto&... all) { (write_field(all, to), ...); });
  }
}

template <class T>
void read_field(T& x, byte_reader& from) {
  if constexpr (std::is_same_v<T, dtype>) {
    x = from.get(last_dtype);
  } else if constexpr (std::is_arithmetic_v<T>) {
    x = from.get<T>();
  } else if constexpr (std::is_same_v<T, scalar_attribute>) {
    x.real = from.get<double>();
    x.integer = from.get<std::int64_t>();
    x.imaginary = from.get<double>();
  } else if constexpr (std::is_same_v<T, part_attributes>) {
    strided_part part;
    read_field(part, from);
    x.part = std::make_shared<const strided_part>(part);
  } else if constexpr (all_integers<T>) {
    integers_of<T> all;
    for (auto& one : all) one = from.get<std::int64_t>();
    x = std::bit_cast<T>(all);
  } else {
    with_fields(x, [&](auto&... all) { (read_field(all, from), ...); });
  }
}

}  // namespace detail

/// The codec of parameters that are a struct of numbers: field by field, in their order.
template <class T>
inline constexpr parameter_codec sends = {
    .write = [](const attributes& given,
                byte_writer& to) { detail::write_field(given.as<T>(), to); },
    .read =
        [](byte_reader& from) {
          T x{};
          detail::read_field(x, from);
          return attributes(std::move(x));
        }};

}  // namespace troupe
