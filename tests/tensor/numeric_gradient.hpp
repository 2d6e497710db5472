// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/near.hpp"

namespace troupe::testing {

/// Returns float64 numbers of a shape, no two of them equal.
inline tensor distinct(const shape& sizes) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < sizes.size(); ++i)
    out.push_back(static_cast<double>((i * 7) % 11) * 0.25 - 1.1 + static_cast<double>(i) * 0.03);
  return from_data(out, sizes);
}

/// Checks the gradient of sum(sin(f(x))) against differences. `x` is of float64.
template <class F>
void check_gradient(F f, const tensor& x) {
  const auto y = [&](const tensor& at) { return sum(sin(f(at))); };
  const auto found = grad(y)(x);
  REQUIRE(found.shape() == x.shape());
  const auto slopes = found.template to_vector<double>();
  const auto start = x.to_vector<double>();
  constexpr double step = 1e-5;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const auto moved = [&](double by) {
      auto all = start;
      all[i] += by;
      return y(from_data(all, x.shape())).template item<double>();
    };
    CAPTURE(i);
    REQUIRE(near(slopes[i], (moved(step) - moved(-step)) / (2 * step), 1e-6));
  }
}

}  // namespace troupe::testing
