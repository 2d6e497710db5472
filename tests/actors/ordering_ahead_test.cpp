// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <set>

#include "troupe/tests/actors/hanging_program.hpp"
#include "troupe/tests/actors/ordering_bench.hpp"
#include "troupe/tests/effort.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Tasks of a bench that were released, some of which never end.
struct lanes_of_bench {
  ordering_bench& bench;
  std::set<std::uint64_t> hanging = {};
  std::set<std::uint64_t> running = {};
  std::size_t most_live = 0;

  /// Ends one of the tasks that can, by default the last; returns false if there is none.
  bool end_one(std::size_t from_last = 0) {
    for (const auto& p : bench.release()) running.insert(p.task);
    std::vector<std::uint64_t> able;
    for (const auto t : running) {
      if (!hanging.contains(t) && bench.can_run(t)) able.push_back(t);
    }
    if (able.empty()) return false;
    const auto t = able[able.size() - 1 - from_last % able.size()];
    running.erase(t);
    bench.end(t);
    most_live = std::max(most_live, bench.device_memory()->live());
    return true;
  }
  void end_all() {
    while (end_one()) {}
  }
};

}  // namespace

TEST_CASE("a result is held back no longer when its only reader is given up") {
  ordering_bench bench(2);
  lanes_of_bench running{bench, {1}};
  const auto hangs = bench.add(long_task);
  std::vector<value_ref> results, readers;
  for (int i = 0; i < 6; ++i) {
    results.push_back(bench.add(short_task, {}, kibibyte));
    readers.push_back(bench.add(short_task, {results.back(), hangs}));
  }
  running.end_all();
  const auto first = std::ranges::find_if(results, [](auto& v) { return v->pending(); });
  REQUIRE(first != results.end() - 1);
  bench.cancel(*readers[static_cast<std::size_t>(first - results.begin())]);
  running.end_all();
  CHECK((*first)->ready());
  CHECK(std::next(first)->get()->pending());
  running.hanging.clear();
  running.end_all();
  CHECK(std::ranges::none_of(results, [](auto& v) { return v->pending(); }));
}

TEST_CASE("results of several steps keep to the pace of a slower consumer") {
  const int lanes = GENERATE(1, 2, 4), steps = GENERATE(1, 2, 3, 10);
  const bool together = GENERATE(true, false);
  INFO(lanes << " lanes, " << steps << " steps");
  ordering_bench bench(lanes);
  lanes_of_bench running{bench, {1}};
  value_ref state = bench.add(0);
  for (int i = 0; i < 200; ++i) {
    value_ref x;
    for (int step = 0; step < steps; ++step)
      x = bench.add(short_task, step ? std::vector{x} : std::vector<value_ref>{}, kibibyte);
    state = bench.add(medium_task, {x, state});
    if (!together) running.end_one();
  }
  running.end_all();
  // What the consumers at work read, one result ahead for each lane, and the next one.
  CHECK(bench.device_memory()->live() <= static_cast<std::size_t>(lanes + 4) * 1024);
  const auto all_steps = std::ranges::count_if(bench.ended, [&](auto t) {
    return (t - 1) % static_cast<std::uint64_t>(steps + 1) == static_cast<std::uint64_t>(steps);
  });
  CHECK(all_steps >= lanes + 1);
  running.hanging.clear();
  for (int i = 0; i < 100 * (steps + 1); ++i) running.end_one();
  running.most_live = 0;
  running.end_all();
  CHECK(state->ready());
  CHECK(running.most_live >= static_cast<std::size_t>(lanes + 1) * 1024);
  CHECK(running.most_live <= static_cast<std::size_t>(lanes + 5) * 1024);
  CHECK(bench.alive == 0);
}

TEST_CASE("a producer keeps to the pace of rounds whose slow part comes behind it") {
  ordering_bench bench(2);
  value_ref state = bench.add(0);
  for (int i = 0; i < 100; ++i) {
    const auto batch = bench.add(short_task, {}, kibibyte);
    const auto scaled = bench.add(short_task, {batch}, kibibyte);
    const auto slow = bench.add(short_task, {bench.add(short_task, {state})});
    state = bench.add(medium_task, {scaled, slow});
  }
  lanes_of_bench{bench, {1}}.end_all();
  CHECK(bench.device_memory()->live() <= 6 * 1024);
}

TEST_CASE("a small result of a batch, such as its mean, is no reason to compute it far ahead") {
  ordering_bench bench(2);
  value_ref state = bench.add(0);
  for (int i = 0; i < 100; ++i) {
    const auto batch = bench.add(short_task, {}, kibibyte);
    const auto mean = bench.add(short_task, {batch});
    state = bench.add(medium_task, {bench.add(short_task, {batch, mean}, kibibyte), state});
  }
  lanes_of_bench{bench, {1}}.end_all();
  CHECK(bench.device_memory()->live() <= 6 * 1024);
}

TEST_CASE("branches that meet are computed, whatever hangs and fills the room for running ahead") {
  const int lanes = GENERATE(1, 2);
  ordering_bench bench(lanes);
  const auto hangs = bench.add(0);
  for (int i = 0; i < 8; ++i) bench.add(short_task, {bench.add(0, {}, kibibyte), hangs});
  const auto branch = [&](int steps) {
    value_ref x = bench.add(short_task, {}, kibibyte);
    for (int i = 1; i < steps; ++i) x = bench.add(short_task, {x}, kibibyte);
    return x;
  };
  const auto a = branch(3), b = branch(2), c = branch(5);
  const auto met = bench.add(short_task, {bench.add(short_task, {a, b}, kibibyte), c}, kibibyte);
  const auto end = bench.add(short_task, {met, branch(2)}, kibibyte);
  lanes_of_bench{bench, {1}}.end_all();
  CHECK(end->ready());
}

TEST_CASE("while another ordering catches up, what also waits for it by way of others goes on") {
  const bool computes = GENERATE(false, true);
  ordering_bench bench(0, nullptr, 1, std::size_t{1} << 30, ordering::default_room);
  const auto elsewhere = make_value(1, 0);
  const auto first = make_value(1, 0), gradient = bench.add(short_task);
  const auto sum = bench.add(short_task, {gradient, elsewhere});
  const auto weight = bench.add(short_task, {sum});
  bench.add(short_task, {bench.add(0, {}, kibibyte), elsewhere});  // fills the lane's room
  const auto layer = bench.add(short_task, {first}, kibibyte);
  bench.add(short_task, {layer, computes ? bench.add(short_task, {weight, gradient}) : weight});
  lanes_of_bench running{bench};
  if (computes) running.hanging = {1};
  running.end_all();
  first->allocate(bench.device_memory());
  first->succeed();
  bench.resolved(*first);
  running.end_all();
  CHECK(layer->pending() == computes);
}

TEST_CASE("what no longer holds a use up lets early tasks go") {
  ordering_bench bench(1);
  const auto missing = make_value(1, 0), elsewhere = make_value(1, 0);
  bench.add(0);  // hangs
  bench.add(short_task, {missing});
  bench.add(short_task, {bench.add(0, {}, kibibyte), missing});  // fills the room
  const auto earlier = bench.add(short_task, {missing});
  const bool there = GENERATE(true, false);
  const auto early = bench.add(short_task, {}, kibibyte);
  const auto next = bench.add(short_task, {early}, kibibyte);
  const auto reader = bench.add(short_task, {next, there ? elsewhere : earlier}, kibibyte);
  lanes_of_bench running{bench, {1}};
  running.end_all();
  REQUIRE(early->pending());
  SECTION("another reader of a later result") { bench.add(short_task, {next}); }
  SECTION("somebody waits for the result") { CHECK(bench.wanted(*early)); }
  SECTION("somebody waits for a later result") { CHECK(bench.wanted(*next)); }
  SECTION("the reader is cancelled") {
    bench.cancel(*reader, 0);
    CHECK(reader->failed());
  }
  SECTION("what it needs is there") {
    if (there) {
      elsewhere->allocate(bench.device_memory());
      elsewhere->succeed();
      bench.resolved(*elsewhere);
    } else {
      bench.cancel(*earlier, 0);
    }
  }
  running.end_all();
  CHECK_FALSE(early->pending());
}

TEST_CASE("an early task goes in its turn, however many of a higher priority lack memory") {
  ordering_bench bench(2, 4096);
  const auto held = bench.add(0, {}, 4 * kibibyte);
  bench.release();
  bench.end(1);
  const auto early = bench.add(0, {}, kibibyte);
  early->note_reader_elsewhere();
  CHECK(bench.release().empty());
  bench.priority = 1;
  std::vector<value_ref> starved;
  for (int i = 0; i < 70; ++i) starved.push_back(bench.add(0, {}, 4 * kibibyte));
  CHECK(bench.release() == places{{2, 0}});
}

TEST_CASE("whatever hangs, all that is of use without it is computed") {
  for (std::uint64_t seed = 1; seed <= cases_of_one_thread(10'000); ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    hanging_program program(random);
    ordering_bench bench(static_cast<int>(1 + program.below(3)));
    const auto missing = make_value(1, 0);
    lanes_of_bench running{bench};
    const auto tasks = 20 + program.below(60);
    for (std::uint64_t t = 1; t <= tasks; ++t) {
      const bool hangs = program.below(12) == 0;
      auto inputs = program.next(hangs);
      if (hangs && program.below(2)) inputs.push_back(missing);
      else if (hangs) running.hanging.insert(t);
      program.made(bench.add(0, inputs, program.below(4) ? kibibyte : 1));
      if (program.below(4) == 0) running.end_one(program.below(8));
    }
    while (running.end_one(program.below(8))) {}
    program.check();
    bench.cancel();
    bench.release();
  }
}
