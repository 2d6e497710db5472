// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

#include "troupe/nn/optimisers/optimiser.hpp"
#include "troupe/tensor/ops/from_data.hpp"

namespace troupe::testing {

using list = std::vector<double>;

inline tensor array_of(const list& values, dtype element = float64) {
  return from_data(values, {static_cast<std::int64_t>(values.size())}, {.dtype = element});
}

inline nn::parameter parameter_of(const list& values, dtype element = float64) {
  return nn::parameter(array_of(values, element));
}

/// Returns distinct numbers between -1 and 1, different for each seed.
inline list some_numbers(std::size_t count, int seed) {
  list out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(2 * std::fmod(0.31 + 0.61803398875 * (static_cast<double>(i) + 17. * seed), 1.) -
                  1);
  return out;
}

/// Visitor that collects everything an object shows it, by name.
struct shown : nn::visitor {
  void at(nn::variable& v) override { all.emplace_back(path(), v); }
  void at(nn::parameter& p) override { all.emplace_back(path(), p); }
  std::vector<std::pair<std::string, nn::variable>> all;
};

inline shown shown_by(nn::optimiser& o) {
  shown s;
  o.visit(s);
  return s;
}

}  // namespace troupe::testing
