// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/tests/nodes/pair_of_machines.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using troupe::testing::comes_true;
using troupe::testing::pair_of_machines;

TEST_CASE("memory that a node keeps for reuse goes back when an owner asks, and when it has gone") {
  pair_of_machines all;
  const auto kept = [&] { return all.far.memory().cached; };
  {
    runtime rt(all.owner());
    const auto compute = [] {
      auto x = ones({1000, 1000}).to(cpu(0, node(1)));
      for (int i = 0; i < 5; ++i) x = tanh(x) + x;
      x.wait();
      return x;
    };
    const auto held = compute();
    compute();
    CHECK(comes_true([&] { return kept() > 0; }));
    rt.trim_memory();
    CHECK(comes_true([&] { return kept() == 0; }));
    CHECK(all.far.memory().live >= held.size() * sizeof(float));
    compute();
    CHECK(comes_true([&] { return kept() > 0; }));
  }
  CHECK(comes_true([&] { return all.far.memory().live == 0 && kept() == 0; }));
}
