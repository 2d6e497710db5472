// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "troupe/actors/lane_loads.hpp"
#include "troupe/actors/lane_set.hpp"

using namespace troupe;

TEST_CASE("a set of lanes holds what a std::set holds, for any number of lanes") {
  const auto lanes = GENERATE(1, 2, 63, 64, 65, 256, 300);
  std::mt19937_64 random(static_cast<std::uint64_t>(lanes));
  const auto count = static_cast<std::size_t>(lanes);
  lane_set subject(count), others(count);
  const lane_set none(count);
  std::set<int> expected;
  for (int step = 0; step < 2'000; ++step) {
    const auto lane = static_cast<int>(random() % static_cast<std::uint64_t>(lanes));
    const bool in = random() % 2;
    subject.set(lane, in);
    if (in) expected.insert(lane);
    else expected.erase(lane);
    REQUIRE(subject.contains(lane) == in);
    REQUIRE(subject.empty() == expected.empty());
    const auto next = expected.lower_bound(lane + 1);
    REQUIRE(subject.first() == (expected.empty() ? -1 : *expected.begin()));
    REQUIRE(subject.first(lane + 1) == (next == expected.end() ? -1 : *next));
    std::vector<int> all, rest;
    subject.for_each_not_in(none, [&](int one) { all.push_back(one); });
    REQUIRE(std::ranges::equal(all, expected));
    others.set(lane, random() % 2);
    subject.for_each_not_in(others, [&](int one) { rest.push_back(one); });
    std::erase_if(all, [&](int one) { return others.contains(one); });
    REQUIRE(rest == all);
  }
  std::vector<int> taken;
  subject.take_each([&](int one) { taken.push_back(one); });
  CHECK(std::ranges::equal(taken, expected));
  CHECK(subject.empty());
}

TEST_CASE("of all lanes, the one with the least work is found, to a quarter") {
  const auto lanes = GENERATE(1, 2, 3, 64, 65, 256);
  std::mt19937_64 random(static_cast<std::uint64_t>(lanes));
  lane_loads subject(static_cast<std::size_t>(lanes));
  std::vector<double> loads(static_cast<std::size_t>(lanes));
  CHECK(subject.least() == 0);
  for (int step = 0; step < 5'000; ++step) {
    const auto lane = random() % loads.size();
    const auto before = lane_loads::level_of(loads[lane]);
    loads[lane] = random() % 4 ? std::exp2(static_cast<double>(random() % 2'400) / 100) : 0;
    subject.move(static_cast<int>(lane), before, lane_loads::level_of(loads[lane]));
    const auto found = loads[static_cast<std::size_t>(subject.least())];
    REQUIRE(found <= std::max(1.25 * *std::ranges::min_element(loads), 512.0));
  }
}
