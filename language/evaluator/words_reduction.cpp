// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/reduction_word.hpp"
#include "troupe/tensor/ops/comparing.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view along_one = "x, axis: axis = none, keepdims: flag = false";
constexpr std::string_view up_to_each = "x, axis: axis = none";
constexpr std::string_view over_axes_in =
    "x, axis: axes = none, keepdims: flag = false, dtype: dtype = none";
constexpr std::string_view up_to_each_in = "x, axis: axis = none, dtype: dtype = none";

constexpr std::string_view closeness =
    "x, y, rtol: number = 1e-5, atol: number = 1e-8, equal_nan: flag = false";

template <auto function>
dynamic_value find(const arguments& a) {
  return function(a.array(0), a.axis(1), a.flag(2), a.where());
}

template <auto function>
dynamic_value compare(const arguments& a) {
  return function(a.array(0), a.array(1), a.real(2, 1e-5), a.real(3, 1e-8), a.flag(4), a.where());
}

template <auto function>
dynamic_value accumulate(const arguments& a) {
  return function(a.array(0), a.axis(1), a.where());
}

// Those that may be told the dtype to compute in.

dynamic_value sum_of(const arguments& a) {
  if (!a.has(3)) return sum(a.array(0), a.axes(1), a.flag(2), a.where());
  return sum(a.array(0), a.dtype(3), a.axes(1), a.flag(2), a.where());
}

dynamic_value prod_of(const arguments& a) {
  if (!a.has(3)) return prod(a.array(0), a.axes(1), a.flag(2), a.where());
  return prod(a.array(0), a.dtype(3), a.axes(1), a.flag(2), a.where());
}

dynamic_value cumsum_of(const arguments& a) {
  if (!a.has(2)) return cumsum(a.array(0), a.axis(1), a.where());
  return cumsum(a.array(0), a.dtype(2), a.axis(1), a.where());
}

dynamic_value cumprod_of(const arguments& a) {
  if (!a.has(2)) return cumprod(a.array(0), a.axis(1), a.where());
  return cumprod(a.array(0), a.dtype(2), a.axis(1), a.where());
}

}  // namespace

std::vector<word> reduction_words() {
  return {
      {"sum", "reduce", over_axes_in, "The sum, over all elements or over axes.", sum_of},
      {"prod", "reduce", over_axes_in, "The product.", prod_of},
      {"mean", "reduce", over_axes, "The mean.", reduce<mean>},
      {"max", "reduce", over_axes, "The greatest; NaN if there is one.", reduce<max>},
      {"min", "reduce", over_axes, "The least; NaN if there is one.", reduce<min>},
      {"any", "reduce", over_axes, "Whether one is true.", reduce<any>},
      {"all", "reduce", over_axes, "Whether all are true.", reduce<all>},
      {"count_nonzero", "reduce", over_axes, "How many differ from zero.", reduce<count_nonzero>},
      {"allclose", "reduce", closeness, "Whether all of x are as near to y as isclose wants it.",
       compare<allclose>},
      {"array_equal", "reduce", "x, y, equal_nan: flag = false",
       "Whether two arrays have the same shape and equal elements.",
       [](const arguments& a) -> dynamic_value {
         return array_equal(a.array(0), a.array(1), a.flag(2), a.where());
       }},
      {"sum_of_squares", "reduce", over_axes, "sum(x * x), as one task.", reduce<sum_of_squares>},
      {"norm", "reduce", over_axes, "The Euclidean length.", reduce<norm>},
      {"logsumexp", "reduce", over_axes, "log(sum(exp(x))) without overflow.", reduce<logsumexp>},
      {"argmax", "reduce", along_one, "Where the greatest is: the first of them.", find<argmax>},
      {"argmin", "reduce", along_one, "Where the least is: the first of them.", find<argmin>},
      {"var", "reduce", spread, "The variance: of n elements, divided by n - ddof.",
       measure_spread<var>},
      {"cumsum", "reduce", up_to_each_in,
       "The sums of the elements up to each one, over all or along an axis.", cumsum_of},
      {"cumprod", "reduce", up_to_each_in, "The products of the elements up to each one.",
       cumprod_of},
      {"cummax", "reduce", up_to_each, "The greatest of the elements up to each one.",
       accumulate<cummax>},
      {"cummin", "reduce", up_to_each, "The least of the elements up to each one.",
       accumulate<cummin>},
      {"logcumsumexp", "reduce", up_to_each, "log(cumsum(exp(x))) without overflow.",
       accumulate<logcumsumexp>},
      {"diff", "reduce", "x, times: integer = 1, axis: axis = -1",
       "The differences of neighbours along an axis, taken so many times.",
       [](const arguments& a) -> dynamic_value {
         return diff(a.array(0), a.integer(1, 1), a.axis(2).value_or(-1), a.where());
       }},
      {"isclose", "elementwise", closeness,
       "Whether two numbers are at most atol + rtol * abs(y) apart.", compare<isclose>},
      {"std", "reduce", spread, "The standard deviation.", measure_spread<stddev>, "stddev"},
  };
}

}  // namespace troupe::language
