// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tensor/ops/searching.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view either_way = "x, axis: axis = -1, descending: flag = false";

template <auto function>
dynamic_value order(const arguments& a) {
  return function(a.array(0), a.axis(1).value_or(-1), a.flag(2), a.where());
}

template <auto function>
dynamic_value divide_at(const arguments& a) {
  return function(a.array(0), a.integer(1), a.axis(2).value_or(-1), a.where());
}

dynamic_value top_of(const arguments& a) {
  const auto found = topk(a.array(0), a.integer(1), a.axis(2).value_or(-1), a.where());
  return as_list({found.values, found.indices});
}

}  // namespace

std::vector<word> order_words() {
  return {
      {"sort", "order", either_way,
       "The elements in order along an axis, NaN last; none is the last axis, too.", order<sort>},
      {"argsort", "order", either_way,
       "The places that the elements in order come from; equal ones keep their order.",
       order<argsort>},
      {"partition", "order", "x, at: integer, axis: axis = -1",
       "The elements rearranged, none before a position greater than the one there, none behind "
       "less.",
       divide_at<partition>},
      {"argpartition", "order", "x, at: integer, axis: axis = -1",
       "The places that these come from.", divide_at<argpartition>},
      {"topk", "order", "x, count: integer, axis: axis = -1",
       "A list of the greatest elements along an axis, in descending order, and of their places.",
       top_of},
      {"argtopk", "order", "x, count: integer, axis: axis = -1",
       "The places of the greatest elements along an axis, in descending order.",
       [](const arguments& a) -> dynamic_value {
         return argtopk(a.array(0), a.integer(1), a.axis(2).value_or(-1), a.where());
       }},
      {"searchsorted", "order", "sorted, values, side: text = \"left\"",
       "The places where values would be inserted into a vector in order, before equal elements or "
       "(\"right\") behind them.",
       [](const arguments& a) -> dynamic_value {
         return searchsorted(a.array(0), a.array(1), a.has(2) ? a.text(2) : "left", a.where());
       }},
  };
}

}  // namespace troupe::language
