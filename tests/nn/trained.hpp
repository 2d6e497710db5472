// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/visit.hpp"

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
