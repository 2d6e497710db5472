// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

#include "troupe/actors/lane_ranking.hpp"

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

TEST_CASE("a ranking of lanes finds the lowest key, and of equal ones the first lane") {
  const auto lanes = GENERATE(1, 2, 3, 64, 100, 256);
  using ranking = lane_ranking<std::uint64_t>;
  std::mt19937_64 random(static_cast<std::uint64_t>(lanes));
  ranking subject(static_cast<std::size_t>(lanes));
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(lanes), ranking::none);
  CHECK(subject.first() == -1);
  for (int step = 0; step < 5'000; ++step) {
    const auto lane = random() % keys.size();
    keys[lane] = random() % 3 ? random() % 50 : ranking::none;
    subject.set(static_cast<int>(lane), keys[lane]);
    if (random() % 2) continue;  // several changes at once
    const auto least = std::ranges::min_element(keys);
    REQUIRE(subject.first() == (*least == ranking::none ? -1 : least - keys.begin()));
  }
}
