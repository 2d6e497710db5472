// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/view_as.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view as_another = "x, dtype: dtype = none, device: device = none";

dynamic_value array(const arguments& a) {
  auto x = a.has(1) ? to_array(a.any(0), a.dtype(1), "array", a.where())
                    : to_array(a.any(0), "array", a.where());
  if (a.has(2)) x = to(x, std::get<device>(a.any(2)), a.where());
  return x;
}

dynamic_value arange_of(const arguments& a) {
  const auto options = a.options(3, 4);
  if (!a.has(1)) return arange(0, a.number(0), a.number(2, 1), options, a.where());
  return arange(a.number(0), a.number(1), a.number(2, 1), options, a.where());
}

/// Returns the options in three parameters from number `first` on: dtype, device and endpoint.
linspace_options spacing_of(const arguments& a, std::size_t first) {
  const auto options = a.options(first, first + 1);
  return {options.dtype, options.device, !a.has(first + 2) || a.flag(first + 2)};
}

}  // namespace

std::vector<word> creation_words() {
  return {
      {"array", "make", "x: any, dtype: dtype = none, device: device = none",
       "The numbers of a list as an array, of a dtype and on a device of your choice.", array},
      {"zeros", "make", "sizes: sizes, dtype: dtype = float32, device: device = none", "Zeros.",
       [](const arguments& a) -> dynamic_value {
         return zeros(a.sizes(0), a.options(1, 2), a.where());
       }},
      {"ones", "make", "sizes: sizes, dtype: dtype = float32, device: device = none", "Ones.",
       [](const arguments& a) -> dynamic_value {
         return ones(a.sizes(0), a.options(1, 2), a.where());
       }},
      {"empty", "make", "sizes: sizes, dtype: dtype = float32, device: device = none",
       "Elements that nobody has chosen yet; they are zeros.",
       [](const arguments& a) -> dynamic_value {
         return empty(a.sizes(0), a.options(1, 2), a.where());
       }},
      {"empty_like", "make", as_another,
       "Elements that nobody has chosen yet in the shape of x, of its dtype and on its device.",
       [](const arguments& a) -> dynamic_value {
         return empty_like(a.array(0), a.options(1, 2), a.where());
       }},
      {"full", "make", "sizes: shape, value: number, dtype: dtype = none, device: device = none",
       "One number everywhere: full((2, 3), 7).",
       [](const arguments& a) -> dynamic_value {
         return full(a.sizes(0), a.number(1), a.options(2, 3), a.where());
       }},
      {"eye", "make",
       "rows: integer, columns: integer = none, diagonal: integer = 0, dtype: dtype = float32, "
       "device: device = none",
       "Ones on a diagonal, zeros elsewhere.",
       [](const arguments& a) -> dynamic_value {
         const auto columns = a.has(1) ? std::optional(a.integer(1)) : std::nullopt;
         return eye(a.integer(0), columns, a.integer(2), a.options(3, 4), a.where());
       }},
      {"identity", "make", "size: integer, dtype: dtype = float32, device: device = none",
       "A square matrix: ones on the main diagonal, zeros elsewhere.",
       [](const arguments& a) -> dynamic_value {
         return identity(a.integer(0), a.options(1, 2), a.where());
       }},
      {"tri", "make",
       "rows: integer, columns: integer = none, diagonal: integer = 0, dtype: dtype = float32, "
       "device: device = none",
       "Ones on a diagonal and below it, zeros above it.",
       [](const arguments& a) -> dynamic_value {
         const auto columns = a.has(1) ? std::optional(a.integer(1)) : std::nullopt;
         return tri(a.integer(0), columns, a.integer(2), a.options(3, 4), a.where());
       }},
      {"zeros_like", "make", as_another, "Zeros in the shape of x, of its dtype and on its device.",
       [](const arguments& a) -> dynamic_value {
         return zeros_like(a.array(0), a.options(1, 2), a.where());
       }},
      {"ones_like", "make", as_another, "Ones in the shape of x, of its dtype and on its device.",
       [](const arguments& a) -> dynamic_value {
         return ones_like(a.array(0), a.options(1, 2), a.where());
       }},
      {"full_like", "make", "x, value: number, dtype: dtype = none, device: device = none",
       "One number everywhere in the shape of x, of its dtype and on its device.",
       [](const arguments& a) -> dynamic_value {
         return full_like(a.array(0), a.number(1), a.options(2, 3), a.where());
       }},
      {"arange", "make",
       "start: number, stop: number = none, step: number = 1, dtype: dtype = none, device: device "
       "= none",
       "Numbers from start up to stop, in steps; with one number, from 0 up to it.", arange_of},
      {"linspace", "make",
       "start: number, stop: number, count: integer = 50, dtype: dtype = none, device: device = "
       "none, endpoint: flag = true",
       "So many numbers from start to stop, at equal distances; without the stop if "
       "endpoint=false.",
       [](const arguments& a) -> dynamic_value {
         return linspace(a.real(0), a.real(1), a.integer(2, 50), spacing_of(a, 3), a.where());
       }},
      {"logspace", "make",
       "start: number, stop: number, count: integer = 50, base: number = 10, dtype: dtype = none, "
       "device: device = none, endpoint: flag = true",
       "Powers of a base, whose exponents are linspace(start, stop, count).",
       [](const arguments& a) -> dynamic_value {
         return logspace(a.real(0), a.real(1), a.integer(2, 50), a.real(3, 10), spacing_of(a, 4),
                         a.where());
       }},
      {"geomspace", "make",
       "start: number, stop: number, count: integer = 50, dtype: dtype = none, device: device = "
       "none, endpoint: flag = true",
       "So many numbers from start to stop, each the same multiple of the one before.",
       [](const arguments& a) -> dynamic_value {
         return geomspace(a.real(0), a.real(1), a.integer(2, 50), spacing_of(a, 3), a.where());
       }},
      {"astype", "make", "x, dtype: dtype",
       "The elements converted: reals are truncated for integers, anything but 0 is true.",
       [](const arguments& a) -> dynamic_value {
         return astype(a.array(0), a.dtype(1), a.where());
       }},
      {"view_as", "make", "x, dtype: dtype",
       "The same bytes as elements of another dtype; the last axis grows or shrinks with them.",
       [](const arguments& a) -> dynamic_value {
         return view_as(a.array(0), a.dtype(1), a.where());
       }},
      {"copy", "make", "x", "The same elements in an array of their own.",
       [](const arguments& a) -> dynamic_value { return copy(a.array(0), a.where()); }},
      {"to", "devices", "x, device: device", "The same elements on another device.",
       [](const arguments& a) -> dynamic_value {
         return to(a.array(0), std::get<device>(a.any(1)), a.where());
       }},
      {"cpu", "devices", "index: integer = 0, node: integer = 0",
       "A CPU device: a share of the cores of a machine; node 0 is this one.",
       [](const arguments& a) -> dynamic_value {
         return cpu(a.small_integer(0), node(a.small_integer(1)));
       }},
      {"gpu", "devices", "index: integer = 0, node: integer = 0",
       "A GPU of a machine; node 0 is this one.",
       [](const arguments& a) -> dynamic_value {
         return gpu(a.small_integer(0), node(a.small_integer(1)));
       }},
  };
}

}  // namespace troupe::language
