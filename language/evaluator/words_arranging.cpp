// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/collectives.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/grids.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::language {

namespace {

dynamic_value roll_of(const arguments& a) {
  const auto shifts = a.integers(1);
  if (a.has(2)) {
    const auto axes = a.small_integers(2);
    return roll(a.array(0), std::span(shifts), std::span(axes), a.where());
  }
  if (shifts.size() != 1)
    throw error("roll: " + std::to_string(shifts.size()) + " shifts, but no axes", a.where());
  return roll(a.array(0), shifts[0], {}, a.where());
}

using width_pair = std::pair<std::int64_t, std::int64_t>;

/// Returns one number twice, or two numbers.
width_pair widths_of_axis(const dynamic_value& x, caller where) {
  constexpr auto what = "pad: widths";
  const auto both = items_of(x, where);
  if (!both) {
    const auto width = to_integer(x, what, where);
    return {width, width};
  }
  if (both->empty() || both->size() > 2)
    throw error("pad: widths are one number or two for each axis", where);
  return {to_integer(both->front(), what, where), to_integer(both->back(), what, where)};
}

/// Pads by a number, by two numbers for all axes, or by a list with one or two numbers for each
/// axis.
dynamic_value pad_of(const arguments& a) {
  const auto given = items_of(a.any(1), a.where());
  std::vector<width_pair> widths;
  if (given && !given->empty() && items_of(given->front(), a.where())) {
    for (const auto& one : *given) widths.push_back(widths_of_axis(one, a.where()));
  } else {
    widths.push_back(widths_of_axis(a.any(1), a.where()));
  }
  const auto pairs = std::span<const width_pair>(widths);
  if (!a.has(3) || a.text(3) == "constant") return pad(a.array(0), pairs, a.number(2), a.where());
  static constexpr std::pair<std::string_view, pad_mode> modes[] = {
      {"edge", pad_mode::edge},
      {"reflect", pad_mode::reflect},
      {"symmetric", pad_mode::symmetric},
      {"wrap", pad_mode::wrap}};
  for (const auto& [name, mode] : modes) {
    if (name == a.text(3)) return pad(a.array(0), pairs, mode, a.where());
  }
  throw error("pad: the mode is constant, edge, reflect, symmetric or wrap, not " + a.text(3),
              a.where());
}

dynamic_value rot90_of(const arguments& a) {
  if (!a.has(2)) return rot90(a.array(0), a.integer(1, 1), {0, 1}, a.where());
  const auto plane = a.small_integers(2);
  if (plane.size() != 2)
    throw error("rot90: a plane has 2 axes, not " + std::to_string(plane.size()), a.where());
  return rot90(a.array(0), a.integer(1, 1), {plane[0], plane[1]}, a.where());
}

dynamic_value vander_of(const arguments& a) {
  const auto columns = a.has(1) ? std::optional(a.integer(1)) : std::nullopt;
  return vander(a.array(0), columns, a.flag(2), a.where());
}

template <auto function>
dynamic_value of_one(const arguments& a) {
  return function(a.array(0), a.where());
}

template <auto function>
dynamic_value on_diagonal(const arguments& a) {
  return function(a.array(0), a.integer(1), a.where());
}

}  // namespace

std::vector<word> arranging_words() {
  return {
      {"flip", "shape", "x, axis: axes = none", "Backwards along all axes, or along some.",
       [](const arguments& a) -> dynamic_value { return flip(a.array(0), a.axes(1), a.where()); }},
      {"roll", "shape", "x, shift: integers, axis: axes = none",
       "Moved by some positions; what leaves at one end comes in at the other.", roll_of},
      {"repeat_each", "shape", "x, count: integer, axis: axis = none",
       "Each element so many times, along an axis or among all.",
       [](const arguments& a) -> dynamic_value {
         return repeat(a.array(0), a.integer(1), a.axis(2), a.where());
       },
       "repeat"},
      {"tile", "shape", "x, counts: shape",
       "The whole array so many times along each axis: tile(x, (2, 3)).",
       [](const arguments& a) -> dynamic_value {
         const auto counts = a.integers(1);
         return tile(a.array(0), std::span(counts), a.where());
       }},
      {"moveaxis", "shape", "x, source: axes, destination: axes",
       "Axes moved to other places; the others keep their order.",
       [](const arguments& a) -> dynamic_value {
         const auto from = a.small_integers(1), to = a.small_integers(2);
         return moveaxis(a.array(0), std::span(from), std::span(to), a.where());
       }},
      {"rot90", "shape", "x, times: integer = 1, axes: axes = none",
       "Turned by 90 degrees so many times, in the plane of the first two axes or of two others.",
       rot90_of},
      {"atleast_1d", "shape", "x", "With an axis, if x has none.", of_one<atleast_1d>},
      {"atleast_2d", "shape", "x", "With two axes at least: a vector becomes a row.",
       of_one<atleast_2d>},
      {"atleast_3d", "shape", "x", "With three axes at least: a matrix gets one behind.",
       of_one<atleast_3d>},
      {"unstack", "shape", "x, axis: axis = 0", "A list of the parts along an axis, without it.",
       [](const arguments& a) -> dynamic_value {
         return as_list(unstack(a.array(0), a.axis(1).value_or(0), a.where()));
       }},
      {"broadcast_arrays", "shape", "arrays: row",
       "A list of arrays, each in the shape that all broadcast to.",
       [](const arguments& a) -> dynamic_value {
         return as_list(broadcast_arrays(a.arrays(0), a.where()));
       }},
      {"all_reduce", "shape", "arrays: arrays",
       "A list of the sum of arrays, on the device of each.",
       [](const arguments& a) -> dynamic_value {
         return as_list(all_reduce(a.arrays(0), a.where()));
       }},
      {"reduce_scatter", "shape", "arrays: arrays, axis: axis = 0",
       "A list of the parts of the sum of arrays, one on the device of each.",
       [](const arguments& a) -> dynamic_value {
         return as_list(reduce_scatter(a.arrays(0), a.axis(1).value_or(0), a.where()));
       }},
      {"all_gather", "shape", "arrays: arrays, axis: axis = 0",
       "A list of the arrays joined along an axis, on the device of each.",
       [](const arguments& a) -> dynamic_value {
         return as_list(all_gather(a.arrays(0), a.axis(1).value_or(0), a.where()));
       }},
      {"pad", "shape", "x, widths: any, value: number = 0, mode: text = \"constant\"",
       "With a border of a number: pad(x, 1), pad(x, (1, 2)), or two widths for each axis: pad(x, "
       "[[1, 1], [0, 2]]); or of its own elements: pad(x, 1, mode=\"edge\"), \"reflect\", "
       "\"symmetric\", \"wrap\".",
       pad_of},
      {"diagonal", "shape", "x, offset: integer = 0, axis1: axis = 0, axis2: axis = 1",
       "A diagonal of the matrices of two axes, as the last axis.",
       [](const arguments& a) -> dynamic_value {
         return diagonal(a.array(0), a.integer(1), a.axis(2).value_or(0), a.axis(3).value_or(1),
                         a.where());
       }},
      {"diag", "shape", "x, diagonal: integer = 0",
       "The matrix with a vector on a diagonal, or a matrix's diagonal.", on_diagonal<diag>},
      {"tril", "shape", "x, diagonal: integer = 0", "Zeros above a diagonal.", on_diagonal<tril>},
      {"triu", "shape", "x, diagonal: integer = 0", "Zeros below a diagonal.", on_diagonal<triu>},
      {"meshgrid", "make", "coordinates: row, indexing: text = \"xy\"",
       "A list of the coordinates of a grid's points, from those along each axis.",
       [](const arguments& a) -> dynamic_value {
         return as_list(meshgrid(a.arrays(0), a.has(1) ? a.text(1) : "xy", a.where()));
       }},
      {"one_hot", "make", "x, classes: integer, dtype: dtype = float32",
       "For each label a row of zeros, but 1 at the label.",
       [](const arguments& a) -> dynamic_value {
         return one_hot(a.array(0), a.integer(1), a.has(2) ? a.dtype(2) : float32, a.where());
       }},
      {"vander", "make", "x, columns: integer = none, increasing: flag = false",
       "The powers of each element of a vector as a row, the highest first.", vander_of},
  };
}

}  // namespace troupe::language
