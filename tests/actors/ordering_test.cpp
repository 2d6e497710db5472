// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tests/actors/ordering_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("a chain of short tasks is released to one lane at once, in program order") {
  ordering_bench bench(2);
  auto v = bench.add(short_task);
  for (int i = 0; i < 3; ++i) v = bench.add(short_task, {v});
  CHECK(bench.release() == places{{1, 0}, {2, 0}, {3, 0}, {4, 0}});
}

TEST_CASE("a task added behind a running one follows it on its lane without waiting for its end") {
  ordering_bench bench(2);
  const auto v = bench.add(medium_task);
  const auto w = bench.add(medium_task);
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
  bench.add(short_task, {w});
  bench.add(short_task, {v});
  CHECK(bench.release() == places{{3, 1}, {4, 0}});
}

TEST_CASE("independent long tasks are spread one per lane") {
  ordering_bench bench(4);
  for (int i = 0; i < 8; ++i) bench.add(long_task);
  CHECK(bench.release() == places{{1, 0}, {2, 1}, {3, 2}, {4, 3}});
  CHECK(bench.subject().held() == 4);
}

TEST_CASE("long tasks are assigned late, to the first lane that has nothing else to do") {
  ordering_bench bench(3);
  for (int i = 0; i < 5; ++i) bench.add(long_task);
  CHECK(bench.release().size() == 3);
  bench.end(3);
  CHECK(bench.release() == places{{4, 2}});
  bench.end(1);
  CHECK(bench.release() == places{{5, 0}});
}

TEST_CASE("a lane is given half a millisecond of work ahead, not more") {
  ordering_bench bench(1);
  for (int i = 0; i < 1'000; ++i) bench.add(10'000);
  const auto first = bench.release().size();
  CHECK(first > 2);
  CHECK(first <= 50);
  for (std::uint64_t i = 1; i <= 10; ++i) bench.end(i);
  CHECK(bench.release().size() == 10);
}

TEST_CASE("a join of two lanes waits for the end of both") {
  ordering_bench bench(2);
  const auto a = bench.add(long_task), b = bench.add(long_task);
  bench.add(short_task, {a, b});
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
  bench.end(2);
  CHECK(bench.release().empty());
  bench.end(1);
  CHECK(bench.release().size() == 1);
}

TEST_CASE("readers of a value that a GPU still computes go to the lane behind that GPU's work") {
  ordering_bench bench(2, std::size_t{1} << 30, 1);
  const auto late = make_value(1, 100), there = make_value(1, 101);
  bench.add(long_task, {late});
  bench.add(long_task, {there});
  CHECK(bench.release().empty());
  CHECK(bench.watches == std::vector<value_ref>{there, late});
  there->succeed();
  bench.resolved(*late);
  bench.resolved(*there);
  CHECK(bench.release() == places{{1, 1}, {2, 0}});
  late->fail(std::make_shared<failure>());
  bench.resolved(*late);  // no reader waits for it any more
  bench.end(1);
  bench.release();
  CHECK(bench.ended == std::vector<std::uint64_t>{1});
}

TEST_CASE("the first ready task in program order is released first") {
  ordering_bench bench(1);
  const auto a = bench.add(long_task);
  const auto b = bench.add(long_task, {a});
  bench.add(long_task);
  bench.add(long_task);
  CHECK(bench.release() == places{{1, 0}});
  bench.end(1);
  CHECK(bench.release() == places{{2, 0}});
}

TEST_CASE("a task that reads the same value twice runs once") {
  ordering_bench bench(2);
  const auto a = bench.add(long_task);
  bench.add(long_task, {a, a});
  CHECK(bench.release().size() == 1);
  bench.end(1);
  CHECK(bench.release().size() == 1);
  bench.end(2);
  CHECK(bench.release().empty());
  CHECK(bench.ended == std::vector<std::uint64_t>{1, 2});
  CHECK(bench.alive == 0);
}

TEST_CASE("a follower reported before its shared input is kept until the input has ended, too") {
  ordering_bench bench(2);
  const auto a = bench.add(medium_task, {}, 1, 4);
  bench.add(short_task, {a});
  REQUIRE(bench.release() == places{{1, 0}, {2, 0}});
  bench.run(1);
  bench.end(2);
  CHECK(bench.release().empty());
  CHECK(bench.ended.empty());
  CHECK(bench.alive == 2);
  bench.report(1);
  bench.release();
  std::sort(bench.ended.begin(), bench.ended.end());
  CHECK(bench.ended == std::vector<std::uint64_t>{1, 2});
  CHECK(bench.alive == 0);
}

TEST_CASE("idle lanes are asked to help with a large task, each once") {
  ordering_bench bench(3);
  bench.add(long_task, {}, 1, 8);
  REQUIRE(bench.release() == places{{1, 0}});
  REQUIRE(bench.helps.size() == 2);
  CHECK(bench.helps[0].lane != bench.helps[1].lane);
  CHECK(std::none_of(bench.helps.begin(), bench.helps.end(), [](auto& h) { return h.lane == 0; }));
  bench.release();
  CHECK(bench.helps.empty());
}

TEST_CASE("a lane that comes to help before a task has started is asked again once it has") {
  ordering_bench bench(3);
  bench.add(long_task, {}, 1, 8);
  bench.release();
  const auto asked = bench.helps;
  REQUIRE(asked.size() == 2);
  bench.came_early(asked[1]);
  bench.release();
  CHECK(bench.helps.empty());
  REQUIRE(asked[1].run->claim());
  asked[1].run->start();
  bench.release();
  REQUIRE(bench.helps.size() == 1);
  CHECK(bench.helps[0].lane == asked[1].lane);
}

TEST_CASE("a lane that comes to help early is not asked again once the task has ended") {
  ordering_bench bench(2);
  bench.add(long_task, {}, 1, 8);
  bench.release();
  const auto asked = bench.helps;
  REQUIRE(asked.size() == 1);
  bench.end(1);
  bench.came_early(asked[0]);
  bench.release();
  CHECK(bench.helps.empty());
  bench.add(medium_task);
  bench.add(medium_task);
  CHECK(bench.release() == places{{2, 0}, {3, 1}});
}

TEST_CASE("all of many lanes help with a task that is large enough, and few with a smaller one") {
  const auto [nanoseconds, helpers] =
      GENERATE(table<float, std::size_t>({{1e8f, 199}, {1e5f, 10}}));
  ordering_bench bench(200);
  bench.add(nanoseconds, {}, 1, 800);
  REQUIRE(bench.release() == places{{1, 0}});
  CHECK(bench.helps.size() == helpers);
}

TEST_CASE("no lane helps while ready tasks remain for all lanes") {
  ordering_bench bench(2);
  for (int i = 0; i < 4; ++i) bench.add(long_task, {}, 1, 8);
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
  CHECK(bench.helps.empty());
}

TEST_CASE("large memory-bound tasks are shared by all lanes, even if other tasks are ready") {
  constexpr float nanoseconds = 2e6;
  constexpr double bytes = 32e6;
  ordering_bench bench(3);
  for (int i = 0; i < 9; ++i) bench.add(nanoseconds, {}, 1, 8, bytes);
  const auto released = bench.release();
  REQUIRE(released.size() >= 2);
  REQUIRE(released.size() < 9);
  CHECK(std::all_of(released.begin(), released.end(), [](auto& r) { return r.lane == 0; }));
  REQUIRE(bench.helps.size() == 2 * released.size());
  CHECK(std::none_of(bench.helps.begin(), bench.helps.end(), [](auto& h) { return h.lane == 0; }));
}

TEST_CASE(
    "a value of another ordering is watched once, and all its readers are released when it is "
    "ready") {
  ordering_bench bench(1);
  const auto foreign = make_value(1, 77);
  bench.add(short_task, {foreign});
  bench.add(short_task, {foreign, foreign});
  CHECK(bench.release().empty());
  REQUIRE(bench.watches.size() == 1);
  CHECK(bench.watches[0] == foreign);
  foreign->allocate(bench.device_memory());
  foreign->succeed();
  bench.resolved(*foreign);
  CHECK(bench.release() == places{{1, 0}, {2, 0}});
  CHECK(bench.watches.empty());
  for (auto i : {1, 2}) bench.end(static_cast<std::uint64_t>(i));
  bench.release();
  CHECK(bench.alive == 0);
}

TEST_CASE("tasks whose inputs failed end without a lane, however many follow one another") {
  ordering_bench bench(1);
  const auto foreign = make_value(1, 7'000'000);
  const auto running = bench.add(long_task);
  auto last = bench.add(short_task, {foreign});
  const auto joined = bench.add(short_task, {last, running});
  for (int i = 0; i < 100'000; ++i) last = bench.add(short_task, {last});
  REQUIRE(bench.release() == places{{1, 0}});
  foreign->fail(std::make_shared<failure>());
  bench.resolved(*foreign);
  const auto late = bench.add(short_task, {foreign});
  CHECK(bench.release().empty());
  CHECK(last->why() == foreign->why());
  CHECK(late->why() == foreign->why());
  CHECK(joined->pending());  // it is to say which of its inputs failed first
  CHECK(bench.subject().held() == 1);
  bench.end(1);
  CHECK(bench.release().empty());
  CHECK(joined->why() == foreign->why());
  CHECK(bench.subject().held() == 0);
  CHECK(bench.ended.size() == 100'004);
  CHECK(bench.alive == 0);
}

TEST_CASE("cancelling fails tasks that were not released and leaves the others alone") {
  ordering_bench bench(1);
  const auto running = bench.add(long_task), waiting = bench.add(long_task, {running}),
             after = bench.add(short_task, {waiting}), free = bench.add(short_task);
  REQUIRE(bench.release() == places{{1, 0}});
  bench.cancel();
  CHECK(running->pending());
  for (const auto& v : {waiting, after, free}) {
    REQUIRE(v->failed());
    CHECK(v->why()->why == failure::reason::cancelled);
  }
  CHECK(bench.release().empty());
  CHECK(bench.subject().held() == 0);
  bench.end(1);
  CHECK(bench.release().empty());
  CHECK(running->ready());
  std::sort(bench.ended.begin(), bench.ended.end());
  CHECK(bench.ended == std::vector<std::uint64_t>{1, 2, 3, 4});
  CHECK(bench.alive == 0);
  bench.add(short_task);
  CHECK(bench.release().size() == 1);
  bench.end(5);
}

TEST_CASE("cancelling a value takes the tasks before it that nothing else refers to") {
  ordering_bench bench(1);
  const auto foreign = make_value(1, 90, 1);
  const auto running = bench.add(long_task), kept = bench.add(long_task, {running});
  value_ref first = bench.add(long_task, {running, foreign}),
            second = bench.add(short_task, {first, kept}), shared = bench.add(short_task, {second});
  const auto last = bench.add(short_task, {second, shared, first}),
             reader = bench.add(short_task, {last});
  const auto* const of_first = first.get();
  first = second = shared = nullptr;
  REQUIRE(bench.release() == places{{1, 0}});
  REQUIRE(bench.watches.size() == 1);
  bench.cancel(*last, 0, true);  // this test refers to it
  CHECK(bench.release().empty());
  CHECK(last->pending());
  CHECK(of_first->pending());
  bench.cancel(*last);
  CHECK(bench.release().empty());
  CHECK(bench.unneeded == std::vector{foreign});
  CHECK(last->why()->why == failure::reason::cancelled);
  CHECK(kept->pending());
  CHECK(running->pending());
  CHECK(reader->failed());
  CHECK(bench.list() == std::vector<std::string>{"1 sent on 0", "2 waiting for 1"});
  bench.resolved(*foreign);
  bench.end(1);
  CHECK(bench.release() == places{{2, 0}});
  bench.end(2);
  CHECK(bench.release().empty());
  CHECK(kept->ready());
  std::ranges::sort(bench.ended);
  CHECK(bench.ended == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7});
  CHECK(bench.alive == 0);
}

TEST_CASE("a task that waits for memory, or is early, is taken out when it is cancelled") {
  ordering_bench bench(2, 1000);
  const auto running = bench.add(long_task, {}, 100), large = bench.add(long_task, {}, 110),
             other = bench.add(long_task, {}, 110);
  REQUIRE(bench.release() == places{{1, 0}});
  bench.cancel(*large);
  CHECK(bench.release().empty());
  CHECK(large->failed());
  CHECK(bench.subject().held() == 1);
  bench.cancel(*other);
  bench.end(1);
  CHECK(bench.release().empty());
  CHECK(bench.subject().held() == 0);
  CHECK(bench.alive == 0);
}

TEST_CASE("an ordering fails the tasks it holds when destroyed") {
  value_ref first, second;
  {
    ordering_bench bench(1);
    first = bench.add(short_task);
    second = bench.add(short_task, {first});
  }
  CHECK(first->failed());
  CHECK(second->failed());
}
