// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/ops/from_data.hpp"

/// Inputs for the samples of operations at which derivatives can be compared with differences.

namespace troupe::testing {

/// Returns the range of an operation's inputs: inside the domain, away from steps and ties.
inline std::pair<double, double> range_for(std::string_view name) {
  static const std::set<std::string_view> positive = {
      "sqrt",      "rsqrt", "cbrt",  "log",    "log2",         "log10",  "log1p",  "power",
      "remainder", "fmod",  "hypot", "divide", "floor_divide", "lgamma", "digamma"};
  if (positive.count(name)) return {0.5, 2.5};
  if (name == "arccosh") return {1.5, 3.};
  if (name == "arcsin" || name == "arccos" || name == "arctanh" || name == "erfinv")
    return {-0.8, 0.8};
  return {-2., 2.};
}

/// Returns distinct numbers, scattered over the range.
inline std::vector<double> spread_numbers(std::int64_t count, std::pair<double, double> range,
                                          int seed) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = std::fmod(0.31 + 0.61803398875 * static_cast<double>(i + 17 * seed), 1.);
    out.push_back(range.first + (range.second - range.first) * share);
  }
  return out;
}

struct case_of_one {
  std::vector<tensor> inputs;
  std::vector<std::vector<double>> values;
};

inline case_of_one inputs_for(const operation& op, const sample& s) {
  case_of_one out;
  for (const auto& t : s.inputs) {
    const int seed = static_cast<int>(out.inputs.size());
    std::vector<double> v;
    if (is_floating(t.element)) v = spread_numbers(t.dims.size(), range_for(op.name), seed);
    else {
      for (std::int64_t i = 0; i < t.dims.size(); ++i)
        v.push_back(static_cast<double>((i * 5 + seed) % 3));
    }
    out.inputs.push_back(from_data(v, t.dims, {.dtype = t.element}));
    out.values.push_back(std::move(v));
  }
  return out;
}

/// Returns the slope of a function at 0 by differences of the fourth order, whose error is below
/// 1e-9 here.
template <class F>
double slope(const F& at, double step) {
  return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
}

/// Returns true for smooth operations. Casts from float64 round too much for finite differences.
inline bool smooth_enough(const operation& op) {
  // Those that have to do with complex numbers only have tests of their own.
  static const std::set<std::string_view> others = {"astype", "complex", "fft", "rfft", "irfft"};
  return op.gradient == differentiability::available && others.count(op.name) == 0;
}

}  // namespace troupe::testing
