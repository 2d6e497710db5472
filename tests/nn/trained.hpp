// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/visit.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/operators.hpp"

namespace troupe::testing {

/// Visitor that collects all numbers of all parameters and variables, in order. Waits for them.
struct numbers_seen final : nn::visitor {
  void at(nn::parameter& p) override { add(p); }
  void at(nn::variable& v) override { add(v); }
  void add(const nn::variable& v) {
    for (const float f : v.value().to_vector<float>()) numbers.push_back(f);
  }
  std::vector<float> numbers;
};

/// Takes four steps of gradient descent and returns what the parameters are then. `loss` computes
/// the loss of the next batch, and `parameters` returns what to train, once there has been a loss.
template <class Loss, class Parameters>
std::vector<float> descended(double rate, Loss&& loss, Parameters&& parameters) {
  for (int step = 0; step < 4; ++step) {
    tensor of_batch;
    {
      const recording on;
      of_batch = loss();
    }
    of_batch.backward();
    for (auto& p : parameters()) {
      p.assign(p.value() - rate * p.grad());
      p.zero_grad();
    }
  }
  numbers_seen seen;
  for (auto& p : parameters()) seen.at(p);
  return seen.numbers;
}

/// Checks that results do not depend on the number of lanes. `trained` takes the options of a
/// runtime and returns the result of training in it.
template <class F>
void check_same_on_any_lanes(F&& trained) {
  const std::vector<float> expected = trained({.synchronous = true});
  REQUIRE_FALSE(expected.empty());
  for (const int lanes : {1, 2, 8}) {
    CAPTURE(lanes);
    const auto got = trained({.lanes = lanes, .synchronous = false});
    REQUIRE(got.size() == expected.size());
    CHECK(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0);
  }
}

}  // namespace troupe::testing
