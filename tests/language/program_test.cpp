// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/troupe.hpp"

using namespace troupe;

TEST_CASE("a program is made from text and run") {
  runtime engine;
  const auto f = parse_program("def f(a, b) { c = exp(a) + b; sum(c * c) }");
  const tensor a = {1.F, 2.F}, b = {0.5F, -1.F};
  const auto c = exp(a) + b;
  CHECK(f(a, b).item<float>() == sum(c * c).item<float>());
  CHECK(f(a, b).item<float>() == sum(c * c).item<float>());
}
