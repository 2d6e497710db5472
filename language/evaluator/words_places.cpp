// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/adaptive_pooling.hpp"
#include "troupe/tensor/ops/coordinates.hpp"
#include "troupe/tensor/ops/resize.hpp"
#include "troupe/tensor/ops/similarities.hpp"
#include "troupe/tensor/ops/windows.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view triangle =
    "rows: integer, diagonal: integer = 0, columns: integer = none";
constexpr std::string_view fading =
    "n: integer, periodic: flag = false, dtype: dtype = none, device: device = none";

using triangle_places = std::vector<tensor>(std::int64_t, std::int64_t, std::optional<std::int64_t>,
                                            caller);
using window = tensor(std::int64_t, troupe::flag, const tensor_options&, caller);

template <triangle_places Function>
dynamic_value places_of(const arguments& a) {
  const auto columns = a.has(2) ? std::optional(a.integer(2)) : std::nullopt;
  return as_list(Function(a.integer(0), a.integer(1), columns, a.where()));
}

template <window Function>
dynamic_value weights_of(const arguments& a) {
  return Function(a.integer(0), a.flag(1), a.options(2, 3), a.where());
}

}  // namespace

std::vector<word> place_words() {
  return {
      {"argwhere", "order", "x",
       "The coordinates of the elements that differ from 0, a row for each: waits for x.",
       [](const arguments& a) -> dynamic_value { return argwhere(a.array(0), a.where()); }},
      {"flatnonzero", "order", "x",
       "The numbers of the elements that differ from 0, in row-major order: waits for x.",
       [](const arguments& a) -> dynamic_value { return flatnonzero(a.array(0), a.where()); }},
      {"unravel_index", "order", "numbers, sizes: shape",
       "A list of the coordinates that belong to numbers of elements of an array of these sizes.",
       [](const arguments& a) -> dynamic_value {
         return as_list(unravel_index(a.array(0), a.sizes(1), a.where()));
       }},
      {"ravel_multi_index", "order", "coordinates: arrays, sizes: shape",
       "The numbers of elements that belong to coordinates, one array for each axis.",
       [](const arguments& a) -> dynamic_value {
         return ravel_multi_index(a.arrays(0), a.sizes(1), a.where());
       }},
      {"tril_indices", "order", triangle,
       "A list of the rows and the columns of a matrix's elements on a diagonal and below it.",
       places_of<tril_indices>},
      {"triu_indices", "order", triangle,
       "A list of the rows and the columns of a matrix's elements on a diagonal and above it.",
       places_of<triu_indices>},
      {"sliding_windows", "shape", "x, size: integer, axis: axis = -1, step: integer = 1",
       "A view of all windows of neighbouring elements along an axis, with a last axis along each.",
       [](const arguments& a) -> dynamic_value {
         return sliding_windows(a.array(0), a.integer(1), a.axis(2).value_or(-1), a.integer(3, 1),
                                a.where());
       }},
      {"hann", "make", fading, "The weights 0.5 - 0.5 cos of a window.", weights_of<hann>},
      {"hamming", "make", fading, "The weights 0.54 - 0.46 cos of a window.", weights_of<hamming>},
      {"blackman", "make", fading, "The weights of a Blackman window.", weights_of<blackman>},
      {"bartlett", "make", fading, "The weights of a triangle.", weights_of<bartlett>},
      {"normalize", "products", "x, axis: axis = -1, least: number = 1e-12",
       "x divided by its Euclidean length along an axis.",
       [](const arguments& a) -> dynamic_value {
         return normalize(a.array(0), a.axis(1).value_or(-1), a.real(2, 1e-12), a.where());
       }},
      {"cosine_similarity", "products", "x, y, axis: axis = -1, least: number = 1e-8",
       "The cosine of the angle between vectors along an axis.",
       [](const arguments& a) -> dynamic_value {
         return cosine_similarity(a.array(0), a.array(1), a.axis(2).value_or(-1), a.real(3, 1e-8),
                                  a.where());
       }},
      {"cdist", "products", "x, y, order: number = 2",
       "The distance of each point [..., n, d] from each point [..., m, d].",
       [](const arguments& a) -> dynamic_value {
         return cdist(a.array(0), a.array(1), a.real(2, 2), a.where());
       }},
      {"adaptive_avg_pool2d", "images", "x, size: pair",
       "Images [..., h, w] as the means of windows that share them out evenly.",
       [](const arguments& a) -> dynamic_value {
         return adaptive_avg_pool2d(a.array(0), a.pair(1, 1), a.where());
       }},
      {"resize2d", "images", "x, size: pair, mode: text = \"bilinear\"",
       "Images [..., h, w] of another size: the nearest pixels, or between four.",
       [](const arguments& a) -> dynamic_value {
         return resize2d(a.array(0), a.pair(1, 1), a.has(2) ? a.text(2) : "bilinear", a.where());
       }},
  };
}

}  // namespace troupe::language
