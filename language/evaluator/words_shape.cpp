// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/arranging.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::language {

namespace {

dynamic_value append_to(const arguments& a) {
  auto all = *std::get<std::shared_ptr<const list>>(a.any(0));
  all.items.push_back(a.any(1));
  return std::make_shared<const list>(std::move(all));
}

dynamic_value split_of(const arguments& a) {
  const int axis = a.axis(2).value_or(0);
  if (std::holds_alternative<std::shared_ptr<const list>>(a.any(1)))
    return as_list(
        split(a.array(0), std::span<const std::int64_t>(a.integers(1)), axis, a.where()));
  return as_list(split(a.array(0), a.integer(1), axis, a.where()));
}

dynamic_value transpose_of(const arguments& a) {
  if (!a.has(1)) return a.array(0).T(a.where());
  const auto order = a.small_integers(1);
  return transpose(a.array(0), std::span<const int>(order), a.where());
}

dynamic_value squeeze_of(const arguments& a) {
  return a.has(1) ? squeeze(a.array(0), a.small_integers(1), a.where())
                  : squeeze(a.array(0), a.where());
}

}  // namespace

std::vector<word> shape_words() {
  return {
      {"reshape", "shape", "x, sizes: sizes",
       "The same elements in another shape: reshape(x, 2, -1); -1 stands for what is left.",
       [](const arguments& a) -> dynamic_value {
         return reshape(a.array(0), std::span<const std::int64_t>(a.integers(1)), a.where());
       }},
      {"unflatten", "shape", "x, axis: axis, sizes: shape",
       "One axis divided into several: unflatten(x, 0, (2, -1)).",
       [](const arguments& a) -> dynamic_value {
         return unflatten(a.array(0), *a.axis(1), std::span<const std::int64_t>(a.integers(2)),
                          a.where());
       }},
      {"flatten", "shape", "x", "All elements on one axis.",
       [](const arguments& a) -> dynamic_value { return flatten(a.array(0), a.where()); }},
      {"ravel", "shape", "x", "The same as flatten.",
       [](const arguments& a) -> dynamic_value { return ravel(a.array(0), a.where()); }},
      {"squeeze", "shape", "x, axis: integers = none", "Without axes of size 1.", squeeze_of},
      {"expand_dims", "shape", "x, axis: integers", "With new axes of size 1.",
       [](const arguments& a) -> dynamic_value {
         return expand_dims(a.array(0), a.small_integers(1), a.where());
       }},
      {"broadcast_to", "shape", "x, sizes: sizes", "Repeated along axes, without a copy.",
       [](const arguments& a) -> dynamic_value {
         return broadcast_to(a.array(0), a.sizes(1), a.where());
       }},
      {"as_strided", "shape", "x, sizes: shape, strides: integers, offset: integer = 0",
       "The elements whose numbers, in row-major order, are such distances apart.",
       [](const arguments& a) -> dynamic_value {
         return as_strided(a.array(0), a.sizes(1), a.integers(2), a.integer(3), a.where());
       }},
      {"transpose", "shape", "x, order: axes = none",
       "The axes in another order; in reverse if none is given.", transpose_of},
      {"swapaxes", "shape", "x, a: axis, b: axis", "Two axes change places.",
       [](const arguments& a) -> dynamic_value {
         return swapaxes(a.array(0), *a.axis(1), *a.axis(2), a.where());
       }},
      {"slice", "shape",
       "x, axis: axis, start: integer = none, stop: integer = none, step: integer = 1",
       "A part of one axis, as x[start:stop:step] takes of the first.",
       [](const arguments& a) -> dynamic_value {
         const auto end = [&](std::size_t i) {
           return a.has(i) ? std::optional(a.integer(i)) : std::nullopt;
         };
         return slice(a.array(0), *a.axis(1), end(2), end(3), a.integer(4, 1), a.where());
       }},
      {"concatenate", "shape", "arrays: arrays, axis: axis = 0", "Arrays one after the other.",
       [](const arguments& a) -> dynamic_value {
         return concatenate(a.arrays(0), a.axis(1).value_or(0), a.where());
       }},
      {"append", "shape", "items: list, x: any",
       "A list with one more item: r = []; r = append(r, x). The list itself never changes.",
       append_to},
      {"vstack", "shape", "arrays: arrays", "Arrays one below the other; vectors are rows.",
       [](const arguments& a) -> dynamic_value { return vstack(a.arrays(0), a.where()); }},
      {"hstack", "shape", "arrays: arrays", "Arrays side by side; vectors along their only axis.",
       [](const arguments& a) -> dynamic_value { return hstack(a.arrays(0), a.where()); }},
      {"stack", "shape", "arrays: arrays, axis: axis = 0", "Arrays along a new axis.",
       [](const arguments& a) -> dynamic_value {
         return stack(a.arrays(0), a.axis(1).value_or(0), a.where());
       }},
      {"array_split", "shape", "x, parts: integer, axis: axis = 0",
       "A list of so many parts, the first ones longer by 1 where they do not come out even.",
       [](const arguments& a) -> dynamic_value {
         return as_list(array_split(a.array(0), a.integer(1), a.axis(2).value_or(0), a.where()));
       }},
      {"split", "shape", "x, parts: integers, axis: axis = 0",
       "A list of so many equal parts, or of what lies between positions: split(x, (2, 5)).",
       split_of},
      {"take", "shape", "x, indices, axis: axis = none",
       "The elements at positions along an axis, or among all.",
       [](const arguments& a) -> dynamic_value {
         return take(a.array(0), a.array(1), a.axis(2), a.where());
       }},
      {"take_along_axis", "shape", "x, indices, axis: axis, labels: flag = false",
       "Elements at positions that differ from place to place, such as argmax gives; labels are "
       "never negative.",
       [](const arguments& a) -> dynamic_value {
         if (!a.flag(3)) return take_along_axis(a.array(0), a.array(1), *a.axis(2), a.where());
         const int axis =
             check_along_axis("take_along_axis", a.array(0), a.array(1), *a.axis(2), a.where());
         return submit_take_along_axis(a.array(0), a.array(1), {axis, true}, a.where());
       }},
  };
}

}  // namespace troupe::language
