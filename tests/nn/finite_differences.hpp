// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "troupe/nn/module.hpp"
#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

/// Returns distinct numbers between -2 and 2, scattered.
inline tensor spread(const shape& sizes, int seed = 0, dtype element = float64) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < sizes.size(); ++i)
    out.push_back(4 * std::fmod(0.31 + 0.61803398875 * static_cast<double>(i + 17 * seed), 1.) - 2);
  return from_data(out, sizes, {.dtype = element});
}

using tensor_function = std::function<tensor(const std::vector<tensor>&)>;

/// Checks the gradients of all inputs, of float64, against finite differences. The result may have
/// any shape: its elements are summed with individual weights.
inline void check_gradients(const tensor_function& f, const std::vector<tensor>& inputs,
                            double tolerance = 1e-6) {
  const auto weight = [](std::size_t i) { return 1 + 0.25 * static_cast<double>(i % 5); };
  auto with = inputs;
  for (auto& x : with) x.attach_grad();
  tensor out;
  {
    const recording on;
    out = f(with);
  }
  std::vector<double> seed;
  for (std::int64_t i = 0; i < out.size(); ++i) seed.push_back(weight(static_cast<std::size_t>(i)));
  backward(out, {.seed = from_data(seed, out.shape(), {.dtype = out.dtype()})});
  const auto total = [&](const std::vector<tensor>& in) {
    const auto all = numbers(f(in));
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) sum += all[i] * weight(i);
    return sum;
  };
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    REQUIRE(with[k].grad().defined());
    REQUIRE(with[k].grad().type() == inputs[k].type());
    const auto found = numbers(with[k].grad());
    const auto values = numbers(inputs[k]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      constexpr double step = 1e-5;
      const auto at = [&](double shift) {
        auto moved = values;
        moved[i] += shift;
        auto in = inputs;
        in[k] = from_data(moved, in[k].shape(), {.dtype = float64});
        return total(in);
      };
      const double want =
          (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
      CAPTURE(k, i, found[i], want);
      REQUIRE(std::abs(found[i] - want) <= tolerance * std::max(1., std::abs(want)));
    }
  }
}

/// Checks the gradients of a network's parameters, of float64, against finite differences. `result`
/// calls it and returns a tensor of any shape.
template <class Net, class F>
void check_parameter_gradients(Net& net, F&& result, double tolerance = 1e-7) {
  const auto total = [&] { return sum(square(result())).template item<double>(); };
  total();  // creates the parameters
  for (const auto& p : nn::parameters(net)) p.zero_grad();
  {
    const recording on;
    sum(square(result())).backward();
  }
  for (auto& p : nn::parameters(net)) {
    REQUIRE(p.grad().type() == p.value().type());
    const auto first = p.value();
    const auto values = numbers(first), found = numbers(p.grad());
    for (std::size_t i = 0; i < values.size(); ++i) {
      constexpr double step = 1e-4;
      const auto at = [&](double shift) {
        auto moved = values;
        moved[i] += shift;
        p.assign(from_data(moved, first.shape(), {.dtype = float64}));
        return total();
      };
      const double want =
          (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
      CAPTURE(i, found[i], want);
      REQUIRE(std::abs(found[i] - want) <= tolerance * std::max(1., std::abs(want)));
    }
    p.assign(first);
  }
}

}  // namespace troupe::testing
