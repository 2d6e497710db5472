// SPDX-License-Identifier: MIT
#include "troupe/tests/actors/hanging_program.hpp"
#include "troupe/tests/actors/ordering_group.hpp"
#include "troupe/tests/effort.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

// Orderings of two devices, and of the copies between them.
constexpr std::size_t here = 0, there = 1, copies = 2;

}  // namespace

TEST_CASE("results for a slower consumer on another device keep to its pace") {
  const int lanes = GENERATE(1, 2, 4);
  const auto steps_here = GENERATE(0, 2), steps_there = GENERATE(0, 2);
  INFO(lanes << " lanes, " << steps_here << " and " << steps_there << " steps");
  ordering_group all(3, lanes, 1);
  value_ref state = all.add(there, {});
  all.hanging = {1};
  for (int i = 0; i < 100; ++i) {
    value_ref x = all.add(here, {}, kibibyte);
    for (int step = 0; step < steps_here; ++step) x = all.add(here, {x}, kibibyte);
    x = all.add(copies, {x}, kibibyte);
    for (int step = 0; step < steps_there; ++step) x = all.add(there, {x}, kibibyte);
    state = all.add(there, {x, state}, 1, 100'000);
    if (i % 7 == 0) all.happen();
  }
  all.settle();
  CHECK(all.live() <= static_cast<std::size_t>(3 * lanes + 8) * 1024);
  CHECK(all.live() >= 1024);
  all.hanging.clear();
  all.settle();
  CHECK(state->ready());
  CHECK(all.most_live <= static_cast<std::size_t>(3 * lanes + 12) * 1024);
}

TEST_CASE("training on two devices takes the memory of one batch or two, however slow one is") {
  const int lanes = GENERATE(1, 2);
  ordering_group all(3, lanes, GENERATE(1, 2, 3));
  value_ref weight = all.add(here, {}, kibibyte);
  for (int batch = 0; batch < 50; ++batch) {
    const auto x = all.add(here, {}, kibibyte), other_x = all.add(here, {}, kibibyte);
    const auto sent = all.add(copies, {other_x}, kibibyte);
    const auto copied = all.add(copies, {weight}, kibibyte);
    const auto there_too = all.add(there, {all.add(there, {sent, copied}, kibibyte)}, kibibyte);
    if (batch == 0) all.hanging = {5, 6, 7};
    const auto gradient = all.add(here, {all.add(here, {x, weight}, kibibyte)}, kibibyte);
    const auto back = all.add(copies, {there_too}, kibibyte);
    weight = all.add(here, {weight, all.add(here, {gradient, back}, kibibyte)}, kibibyte);
  }
  all.settle();
  CHECK(all.live() <= 16 * 1024);
  all.hanging.clear();
  all.settle();
  CHECK(weight->ready());
  CHECK(all.most_live <= 24 * 1024);
}

TEST_CASE("a device computes what needs nothing of a slower one, if that takes a few megabytes") {
  ordering_group all(3, 1, GENERATE(1, 2, 3), ordering::default_room);
  constexpr auto large = 1024 * kibibyte;
  const auto slow = all.add(there, {});
  all.hanging = {1};
  std::vector<value_ref> others, gradients, weights;
  for (int layer = 0; layer < 4; ++layer)
    others.push_back(all.add(copies, {all.add(there, {slow}, 2 * large)}, 2 * large));
  value_ref flow = all.add(here, {}, large);
  for (const auto& other : others) {
    flow = all.add(here, {flow}, large);
    gradients.push_back(all.add(here, {flow}, 2 * large));
    weights.push_back(all.add(here, {gradients.back(), other}, 2 * large));
  }
  all.settle();
  for (const auto& g : gradients) CHECK(g->ready());
  for (const auto& w : weights) CHECK(w->pending());
  all.hanging.clear();
  all.settle();
  for (const auto& w : weights) CHECK(w->ready());
}

TEST_CASE("results for another device are computed once they are wanted, and not before") {
  ordering_group all(2, 1, 1);
  all.add(here, {});  // hangs, so nothing is released only because all else is at rest
  const auto waits = all.add(there, {});
  all.hanging = {1, 2};
  std::vector<value_ref> made, read;
  for (int i = 0; i < 12; ++i) {
    made.push_back(all.add(here, {}, kibibyte));
    read.push_back(all.add(there, {made.back(), waits}, kibibyte, 100'000));
  }
  all.settle();
  REQUIRE(made.back()->pending());
  SECTION("another reader there") { all.add(there, {made.back()}); }
  SECTION("a reader here") { all.add(here, {made.back()}); }
  SECTION("somebody waits for it") { all[here].wanted(*made.back()); }
  SECTION("the reader there is cancelled") { all[there].cancel(*read.back(), 0); }
  SECTION("what the reader needs is there") { all.hanging = {1}; }
  all.settle();
  CHECK(made.back()->ready());
}

TEST_CASE("devices that compute for another one do so side by side") {
  constexpr std::size_t devices = 4;
  ordering_group all(devices + 1, 1, 1);
  value_ref sum = all.add(0, {}, kibibyte);
  std::vector<value_ref> parts;
  for (std::size_t i = 1; i < devices; ++i) {
    parts.push_back(all.add(i, {}, kibibyte));
    all.hanging.insert(parts.back()->sequence);
    sum = all.add(0, {sum, all.add(devices, {parts.back()}, kibibyte)}, kibibyte);
  }
  all.settle();
  for (const auto& part : parts) CHECK(all.in_flight(*part));
}

TEST_CASE("whatever hangs on any device, all that is of use without it is computed") {
  for (std::uint64_t seed = 1; seed <= cases_of_one_thread(4'000); ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    hanging_program program(random);
    const auto orderings = 2 + program.below(3);
    ordering_group all(orderings, static_cast<int>(1 + program.below(3)), seed);
    const auto tasks = 20 + program.below(60);
    for (std::uint64_t t = 1; t <= tasks; ++t) {
      const bool hangs = program.below(15) == 0;
      if (hangs) all.hanging.insert(t);
      const auto inputs = program.next(hangs);
      program.made(all.add(program.below(orderings), inputs, program.below(4) ? kibibyte : 1));
      if (program.below(4) == 0) all.happen();
    }
    all.settle();
    program.check();
    all.hanging.clear();
    all.settle();
    for (const auto& v : program.values()) REQUIRE(v->ready());
  }
}
