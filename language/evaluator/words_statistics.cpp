// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/reduction_word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/histogram.hpp"
#include "troupe/tensor/ops/interpolation.hpp"
#include "troupe/tensor/ops/nan_reductions.hpp"
#include "troupe/tensor/ops/polynomials.hpp"
#include "troupe/tensor/ops/quantiles.hpp"
#include "troupe/tensor/ops/sets.hpp"
#include "troupe/tensor/ops/signals.hpp"
#include "troupe/tensor/ops/statistics.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view middle = "x, axis: axis = none, keepdims: flag = false";
constexpr std::string_view shares = "x, q: any, axis: axis = none, keepdims: flag = false";

double real_of(const dynamic_value& x, const std::string& what, caller where) {
  if (const auto* number = std::get_if<scalar>(&x)) return number->real();
  if (const auto* array = std::get_if<tensor>(&x); array && array->size() == 1)
    return array->item<double>(where);
  throw error(what + " wants a number, not " + describe(x), where);
}

/// Calls quantile or percentile with one number or with a list of them.
template <class F>
dynamic_value find_shares(const arguments& a, const F& function) {
  const auto some = items_of(a.any(1), a.where());
  const auto what = std::string(a.of().name) + ": q";
  if (!some) return function(real_of(a.any(1), what, a.where()));
  std::vector<double> all;
  for (const auto& one : *some) all.push_back(real_of(one, what, a.where()));
  return function(std::span<const double>(all));
}

/// Returns the word of a function that takes shares.
#define TROUPE_SHARES(function)                                        \
  [](const arguments& a) -> dynamic_value {                            \
    return find_shares(a, [&](const auto& q) -> dynamic_value {        \
      return function(a.array(0), q, a.axis(2), a.flag(3), a.where()); \
    });                                                                \
  }

template <auto function>
dynamic_value along_one(const arguments& a) {
  return function(a.array(0), a.axis(1), a.flag(2), a.where());
}

template <auto function>
dynamic_value accumulate_numbers(const arguments& a) {
  return function(a.array(0), a.axis(1), a.where());
}

dynamic_value histogram_of(const arguments& a) {
  std::int64_t bins = 10;
  if (a.has(1)) {
    const auto given = a.operand(1);
    if (const auto* const edges = given.array(); edges && edges->rank() > 0) {
      if (a.has(2)) throw error("histogram: a range beside the edges of the bins", a.where());
      const auto out = histogram(a.array(0), *edges, a.where());
      return as_list({out.counts, out.edges});
    }
    bins = to_integer(a.any(1), "histogram: bins", a.where());
  }
  std::optional<std::pair<double, double>> range;
  if (a.has(2)) {
    const auto ends = items_of(a.any(2), a.where());
    if (!ends || ends->size() != 2) throw error("histogram: a range has two ends", a.where());
    constexpr auto what = "histogram: range";
    range.emplace(real_of(ends->front(), what, a.where()), real_of(ends->back(), what, a.where()));
  }
  const auto out = histogram(a.array(0), bins, range, a.where());
  return as_list({out.counts, out.edges});
}

dynamic_value bincount_of(const arguments& a) {
  return bincount(a.array(0), a.has(1) ? a.array(1) : tensor(), a.integer(2), a.where());
}

/// Calls a function of samples with their places, or with the distance between them.
template <class F>
dynamic_value with_places(const arguments& a, const F& function) {
  const int axis = a.axis(2).value_or(-1);
  if (!a.has(1)) return function(1., axis);
  const auto x = a.operand(1);
  return x.array() ? function(*x.array(), axis) : function(x.number().real(), axis);
}

dynamic_value trapezoid_of(const arguments& a) {
  return with_places(a, [&](const auto& places, int axis) {
    return trapezoid(a.array(0), places, axis, a.where());
  });
}

dynamic_value gradient_of(const arguments& a) {
  return with_places(a, [&](const auto& places, int axis) {
    return gradient(a.array(0), places, axis, a.where());
  });
}

dynamic_value interp_of(const arguments& a) {
  interp_options outside;
  if (a.has(3)) outside.left = real_of(a.any(3), "interp: left", a.where());
  if (a.has(4)) outside.right = real_of(a.any(4), "interp: right", a.where());
  return interp(a.array(0), a.array(1), a.array(2), outside, a.where());
}

}  // namespace

std::vector<word> statistics_words() {
  return {
      {"median", "reduce", middle, "The middle element in order, or the mean of the middle two.",
       along_one<median>},
      {"nanmedian", "reduce", middle, "The median of what is not NaN.", along_one<nanmedian>},
      {"quantile", "reduce", shares,
       "The number, or a row for each of several, below which the share q of the elements lies.",
       TROUPE_SHARES(quantile)},
      {"percentile", "reduce", shares, "The same for q out of a hundred.",
       TROUPE_SHARES(percentile)},
      {"nanquantile", "reduce", shares, "The quantile of what is not NaN.",
       TROUPE_SHARES(nanquantile)},
      {"nanpercentile", "reduce", shares, "The percentile of what is not NaN.",
       TROUPE_SHARES(nanpercentile)},
      {"nansum", "reduce", over_axes, "The sum of what is not NaN.", reduce<nansum>},
      {"nanprod", "reduce", over_axes, "The product of what is not NaN.", reduce<nanprod>},
      {"nanmean", "reduce", over_axes, "The mean of what is not NaN.", reduce<nanmean>},
      {"nanmax", "reduce", over_axes, "The greatest that is not NaN.", reduce<nanmax>},
      {"nanmin", "reduce", over_axes, "The least that is not NaN.", reduce<nanmin>},
      {"nanvar", "reduce", spread, "The variance of what is not NaN.", measure_spread<nanvar>},
      {"nanstd", "reduce", spread, "The standard deviation of what is not NaN.",
       measure_spread<nanstddev>, "nanstddev"},
      {"nanargmax", "reduce", middle, "Where the greatest is that is not NaN; -1 if all are.",
       along_one<nanargmax>},
      {"nanargmin", "reduce", middle, "Where the least is that is not NaN; -1 if all are.",
       along_one<nanargmin>},
      {"nancumsum", "reduce", "x, axis: axis = none",
       "The sums of the elements up to each one; NaN counts as 0.", accumulate_numbers<nancumsum>},
      {"nancumprod", "reduce", "x, axis: axis = none",
       "The products of the elements up to each one; NaN counts as 1.",
       accumulate_numbers<nancumprod>},
      {"trapezoid", "reduce", "y, x: operand = 1, axis: axis = -1",
       "The integral along an axis by the trapezoidal rule, of samples at a distance or at places "
       "x.",
       trapezoid_of},
      {"gradient", "reduce", "y, x: operand = 1, axis: axis = -1",
       "The slopes along an axis, from neighbour to neighbour, of samples at a distance or at "
       "places x.",
       gradient_of},
      {"average", "reduce", "x, weights, axis: axis = none, keepdims: flag = false",
       "The mean to which each element counts as much as it weighs.",
       [](const arguments& a) -> dynamic_value {
         return average(a.array(0), a.array(1), a.axis(2), a.flag(3), a.where());
       }},
      {"cov", "reduce", "x, ddof: integer = 1",
       "The covariances of variables, the rows of a matrix, whose columns are observations.",
       [](const arguments& a) -> dynamic_value {
         return cov(a.array(0), a.small_integer(1, 1), a.where());
       }},
      {"corrcoef", "reduce", "x",
       "The correlations of variables, the rows of a matrix, whose columns are observations.",
       [](const arguments& a) -> dynamic_value { return corrcoef(a.array(0), a.where()); }},
      {"interp", "order", "x, xp, fp, left: any = none, right: any = none",
       "The piecewise linear function through the points (xp, fp), at x; left and right of them as "
       "at the outermost, or what is given.",
       interp_of},
      {"digitize", "order", "x, edges, right: flag = false",
       "The number of the interval between edges in which each element lies.",
       [](const arguments& a) -> dynamic_value {
         return digitize(a.array(0), a.array(1), a.flag(2), a.where());
       }},
      {"polyval", "products", "coefficients, x",
       "The polynomial with these coefficients, that of the highest power first, at x.",
       [](const arguments& a) -> dynamic_value {
         return polyval(a.array(0), a.array(1), a.where());
       }},
      {"polyfit", "products", "x, y, degree: integer",
       "The coefficients of the polynomial that is nearest to the points (x, y).",
       [](const arguments& a) -> dynamic_value {
         return polyfit(a.array(0), a.array(1), a.integer(2), a.where());
       }},
      {"histogram", "order", "x, bins: operand = 10, range: any = none",
       "A list of how many elements are in each bin, and of the bins' edges. bins: their number, "
       "or "
       "their edges.",
       histogram_of},
      {"bincount", "order", "x, weights: array = none, least: integer = 0",
       "How many elements are 0, 1, ..., or the sums of their weights. Waits for x.", bincount_of},
      {"nonzero", "order", "x",
       "A list, for each axis, of the positions of what differs from 0. Waits for x.",
       [](const arguments& a) -> dynamic_value { return as_list(nonzero(a.array(0), a.where())); }},
      {"unique", "order", "x", "The different elements in order. Waits for x.",
       [](const arguments& a) -> dynamic_value { return unique(a.array(0), a.where()); }},
      {"unique_counts", "order", "x",
       "A list of the different elements in order, and of how many there are of each. Waits for x.",
       [](const arguments& a) -> dynamic_value {
         const auto all = unique_counts(a.array(0), a.where());
         return as_list({all.values, all.counts});
       }},
      {"unique_inverse", "order", "x",
       "A list of the different elements in order, and of where each of x is there. Waits for x.",
       [](const arguments& a) -> dynamic_value {
         const auto all = unique_inverse(a.array(0), a.where());
         return as_list({all.values, all.inverse_indices});
       }},
      {"unique_all", "order", "x",
       "A list of the different elements in order, their first places, where each of x is there, "
       "and how many there are of each. Waits for x.",
       [](const arguments& a) -> dynamic_value {
         const auto all = unique_all(a.array(0), a.where());
         return as_list({all.values, all.indices, all.inverse_indices, all.counts});
       }},
      {"union1d", "order", "x, y", "The different elements of either in order. Waits for both.",
       [](const arguments& a) -> dynamic_value {
         return union1d(a.array(0), a.array(1), a.where());
       }},
      {"intersect1d", "order", "x, y", "The different elements of both in order. Waits for both.",
       [](const arguments& a) -> dynamic_value {
         return intersect1d(a.array(0), a.array(1), a.where());
       }},
      {"setdiff1d", "order", "x, y",
       "The different elements of x that y has not, in order. Waits for both.",
       [](const arguments& a) -> dynamic_value {
         return setdiff1d(a.array(0), a.array(1), a.where());
       }},
      {"isin", "order", "x, values", "Whether each element is among the values.",
       [](const arguments& a) -> dynamic_value { return isin(a.array(0), a.array(1), a.where()); }},
      {"convolve", "products", "x, y, mode: text = \"full\"",
       "The sliding product of two vectors, one of them turned round: full, same or valid.",
       [](const arguments& a) -> dynamic_value {
         return convolve(a.array(0), a.array(1), a.has(2) ? a.text(2) : "full", a.where());
       }},
      {"correlate", "products", "x, y, mode: text = \"valid\"",
       "The sliding product of two vectors: full, same or valid.",
       [](const arguments& a) -> dynamic_value {
         return correlate(a.array(0), a.array(1), a.has(2) ? a.text(2) : "valid", a.where());
       }},
  };
}

#undef TROUPE_SHARES

}  // namespace troupe::language
