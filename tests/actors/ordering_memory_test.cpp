// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>
#include <set>

#include "troupe/tests/actors/ordering_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("tasks are released only while their outputs fit under the limit") {
  ordering_bench bench(4, 4096);
  std::vector<value_ref> values;
  for (int i = 0; i < 6; ++i) values.push_back(bench.add(long_task, {}, 2 * kibibyte));
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
  bench.end(1);
  CHECK(bench.release().empty());  // the output is live
  values[0] = nullptr;
  CHECK(bench.release() == places{{3, 0}});
}

TEST_CASE("a smaller task overtakes one that lacks memory") {
  ordering_bench bench(4, 4096);
  const auto a = bench.add(long_task, {}, 3 * kibibyte),
             large = bench.add(long_task, {}, 2 * kibibyte),
             small = bench.add(long_task, {}, kibibyte), tiny = bench.add(long_task);
  CHECK(bench.release() == places{{1, 0}, {3, 1}, {4, 2}});
}

TEST_CASE("a task that can never fit is released when nothing is in flight") {
  ordering_bench bench(2, 4096);
  const auto small = bench.add(long_task, {}, kibibyte),
             huge = bench.add(long_task, {}, 64 * kibibyte);
  CHECK(bench.release() == places{{1, 0}});
  bench.end(1);
  REQUIRE(bench.release().size() == 1);
  bench.end(2);
  CHECK(huge->ready());
}

TEST_CASE("when values held by the user fill the memory, one task is released at a time") {
  ordering_bench bench(4, 4096);
  std::vector<value_ref> held;
  for (int i = 0; i < 10; ++i) held.push_back(bench.add(long_task, {}, 4 * kibibyte));
  for (std::uint64_t i = 1; i <= 10; ++i) {
    REQUIRE(bench.release().size() == 1);
    bench.end(i);
  }
  CHECK(held.back()->ready());
}

TEST_CASE("a follower that lacks memory waits and is not lost") {
  ordering_bench bench(2, 4096);
  auto a = bench.add(long_task, {}, 3 * kibibyte);
  auto b = bench.add(long_task, {a}, 3 * kibibyte);
  auto c = bench.add(long_task, {b}, kibibyte);
  a = nullptr;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    REQUIRE(bench.release().size() == 1);
    CHECK(bench.subject().in_flight() == 1);
    bench.end(i);
  }
  bench.release();
  CHECK(c->ready());
  CHECK(bench.alive == 0);
}

TEST_CASE("results computed ahead of a waiting task take at most one result per lane") {
  ordering_bench bench(2);
  const auto slow = bench.add(long_task);
  std::vector<value_ref> made;
  value_ref state = slow;
  for (int i = 0; i < 6; ++i) {
    made.push_back(bench.add(medium_task, {}, kibibyte));  // tasks 2, 4, 6, ...
    state = bench.add(medium_task, {made.back(), state});  // tasks 3, 5, 7, ...
  }
  // Task 3 needs 1, task 5 needs 3, and so on: tasks 4 and 6 are ahead, while 2 is next.
  CHECK(bench.release() == places{{1, 0}, {2, 1}, {4, 1}, {6, 1}});
  bench.end(2);
  bench.end(4);
  bench.end(6);
  CHECK(bench.release().empty());
  bench.end(1);
  REQUIRE_FALSE(bench.release().empty());
  for (std::uint64_t t = 3; t <= 13; ++t) {
    if (t == 4 || t == 6) continue;
    bench.end(t);
    bench.release();
  }
  CHECK(bench.alive == 0);
}

TEST_CASE("a producer keeps to the pace of readers that read it twice, like batches in training") {
  ordering_bench bench(2);
  value_ref weight = bench.add(long_task);  // task 1
  std::vector<std::uint64_t> batches;
  for (std::uint64_t first = 2; first < 32; first += 5) {
    const auto batch = bench.add(medium_task, {}, kibibyte);
    batches.push_back(first);
    const auto forward = bench.add(medium_task, {batch, weight});
    const auto backward = bench.add(medium_task, {forward});
    const auto gradient = bench.add(medium_task, {batch, backward});  // needs later results, too
    weight = bench.add(medium_task, {weight, gradient});
  }
  std::set<std::uint64_t> running;
  std::size_t made = 0, used = 0, most = 0;
  for (;;) {
    for (const auto& p : bench.release()) running.insert(p.task);
    if (running.empty()) break;
    const auto t = *running.begin();
    running.erase(running.begin());
    bench.end(t);
    made += t % 5 == 2;  // a batch
    used += t % 5 == 0;  // its last reader
    most = std::max(most, made - used);
  }
  CHECK(bench.alive == 0);
  CHECK(made == batches.size());
  CHECK(most <= 3);  // the current one and one ahead for each lane
}

TEST_CASE("many tasks that run ahead do not delay a task that is waited for") {
  ordering_bench bench(2);
  // Waits, so that none of the following is next in program order.
  bench.add(short_task, {make_value(1, 0)});
  std::vector<value_ref> made;
  for (int i = 0; i < 200; ++i) made.push_back(bench.add(medium_task, {}, kibibyte));
  value_ref state = bench.add(medium_task, {}, kibibyte);
  for (const auto& x : made) state = bench.add(medium_task, {x, state}, kibibyte);
  made.clear();
  std::deque<std::uint64_t> running;
  std::size_t most_made = 0, ended = 0;
  for (std::size_t made_now = 0;; ++ended) {
    for (const auto& p : bench.release()) running.push_back(p.task);
    if (running.empty()) break;
    const auto t = running.front();
    running.pop_front();
    bench.end(t);
    made_now += t > 1 && t <= 201;
    made_now -= t > 202;
    most_made = std::max(most_made, made_now);
  }
  CHECK(ended == 401);
  CHECK(most_made <= 4);
}

TEST_CASE(
    "the next task in program order is released, whatever ran ahead of tasks waiting for another "
    "device") {
  ordering_bench bench(2);
  bench.add(long_task);
  std::vector<value_ref> made;
  for (int i = 0; i < 4; ++i) made.push_back(bench.add(long_task, {}, kibibyte));
  for (const auto& x : made) bench.add(long_task, {x, make_value(1, 0)});
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
  for (std::uint64_t t = 2; t < 5; ++t) {
    bench.end(t);
    CHECK(bench.release() == places{{t + 1, 1}});
  }
}

TEST_CASE("a chain is sent to its lane ahead, however large its results") {
  ordering_bench bench(2);
  // Waits, so that none of the following is next in program order.
  bench.add(short_task, {make_value(1, 0)});
  value_ref x = bench.add(5'000, {}, kibibyte);
  for (int i = 0; i < 100; ++i) x = bench.add(5'000, {x}, kibibyte);
  CHECK(bench.release().size() > 50);
}

TEST_CASE("an early task is released as soon as a reader lacks nothing but its result") {
  ordering_bench bench(2);
  const auto elsewhere = make_value(1, 0);
  bench.add(short_task, {elsewhere});
  std::vector<value_ref> made;
  for (int i = 0; i < 3; ++i) {
    made.push_back(bench.add(medium_task, {}, kibibyte));  // tasks 2, 4, 6
    bench.add(medium_task, {made.back(), elsewhere});
  }
  CHECK(bench.release() == places{{2, 0}, {4, 1}});
  SECTION("a task that is added later") { bench.add(medium_task, {made[2]}); }
  SECTION("another ordering, or a thread") {
    CHECK_FALSE(bench.wanted(*made[0]));  // already in flight
    CHECK(bench.wanted(*made[2]));
  }
  const auto released = bench.release();
  REQUIRE_FALSE(released.empty());
  CHECK(released[0].task == 6);
}

TEST_CASE("the first early task in program order is released first, even if it was ready last") {
  ordering_bench bench(1);
  const auto first = make_value(1, 0), second = make_value(1, 0), third = make_value(1, 0);
  bench.add(short_task, {first});                                            // task 1
  const auto late = bench.add(medium_task, {second});                        // task 2
  bench.add(short_task, {bench.add(medium_task, {late}, kibibyte), third});  // tasks 3, 4
  // Tasks 5 to 10.
  std::vector<value_ref> read;
  for (int i = 0; i < 3; ++i)
    read.push_back(bench.add(short_task, {bench.add(medium_task, {}, kibibyte), third}));
  CHECK(bench.release() == places{{5, 0}});
  second->allocate(bench.device_memory());
  second->succeed();
  bench.resolved(*second);
  bench.end(5);
  CHECK(bench.release() == places{{2, 0}});
  bench.end(2);
  CHECK(bench.release().empty());
  bench.cancel(*read[0], 1);  // the result of task 5 takes no room any more
  CHECK(bench.release() == places{{3, 0}});
}

TEST_CASE("lanes help with a large task, however many others would run ahead") {
  ordering_bench bench(2);
  value_ref state = bench.add(long_task);
  for (int i = 0; i < 200; ++i)
    state = bench.add(long_task, {bench.add(medium_task, {}, kibibyte), state}, 1, 8);
  std::set<std::uint64_t> running;
  std::size_t helped = 0, large = 0;
  for (std::uint64_t ended = 0; ended < 100; ++ended) {
    for (const auto& p : bench.release()) running.insert(p.task);
    helped += bench.helps.size();
    REQUIRE_FALSE(running.empty());
    // Small tasks end first.
    const auto small =
        std::find_if(running.begin(), running.end(), [](auto t) { return t % 2 == 0; });
    const auto t = small == running.end() ? *running.begin() : *small;
    running.erase(t);
    large += t % 2;
    bench.end(t);
  }
  CHECK(large > 40);
  CHECK(helped + 2 >= large);
}

TEST_CASE("values of a few bytes take no memory and are not delayed by a full one") {
  ordering_bench bench(2, 1024);
  const auto full = bench.add(long_task, {}, kibibyte);
  bench.add(short_task, {}, 2);
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
}

TEST_CASE("among many tasks that lack memory, one that frees some is found") {
  ordering_bench bench(2, 8192);
  std::vector<value_ref> held;
  for (int i = 0; i < 4; ++i) held.push_back(bench.add(long_task, {}, 2 * kibibyte));
  for (auto now = bench.release(); !now.empty(); now = bench.release()) {
    for (const auto& p : now) bench.end(p.task);
  }
  for (int i = 0; i < 30; ++i) held.push_back(bench.add(long_task, {}, 2 * kibibyte));
  const auto sum = bench.add(long_task, {held[0]});
  const auto released = bench.release();
  CHECK(std::find_if(released.begin(), released.end(), [](auto& p) { return p.task == 35; }) !=
        released.end());
}

TEST_CASE("a task without memory goes when nothing before it is left, whatever overtook it") {
  ordering_bench bench(2, 4096);
  const auto held = bench.add(long_task, {}, 4 * kibibyte);
  bench.release();
  bench.end(1);
  bench.add(long_task);
  const auto starved = bench.add(long_task, {}, 2 * kibibyte);  // task 3
  bench.add(long_task);
  CHECK(bench.release() == places{{2, 0}, {4, 1}});
  bench.end(4);
  bench.add(long_task);
  CHECK(bench.release() == places{{5, 1}});
  bench.end(2);
  CHECK(bench.release() == places{{3, 0}});
  bench.add(long_task, {}, kibibyte);
  CHECK(bench.release().empty());  // one at a time goes beyond the limit
}

TEST_CASE("a starved task goes when nothing before it is left in any ordering") {
  const auto everywhere = std::make_shared<program_order>(2);
  ordering_bench here(0, everywhere, 2, 4096), elsewhere(1, everywhere, 2);
  const auto held = here.add(long_task, {}, 4 * kibibyte);  // task 1
  REQUIRE(here.release() == places{{1, 0}});
  here.end(1);
  elsewhere.number_from(2);
  elsewhere.add(long_task);
  elsewhere.number_from(4);
  elsewhere.add(long_task);
  REQUIRE(elsewhere.release() == places{{2, 0}, {4, 1}});
  here.number_from(3);
  const auto starved = here.add(long_task, {}, 2 * kibibyte);
  CHECK(here.release().empty());
  CHECK(here.others_look);  // it asks what the other ordering has
  CHECK(elsewhere.release().empty());
  CHECK_FALSE(elsewhere.others_look);  // task 2 comes first
  elsewhere.end(2);
  elsewhere.add(long_task);
  CHECK(elsewhere.release() == places{{5, 0}});
  CHECK(elsewhere.others_look);  // the turn of task 3 has come, though 4 and 5 are in flight
  CHECK(here.release() == places{{3, 0}});
}

TEST_CASE("an ordering that waits for a turn is told when the other one has nothing left") {
  const auto everywhere = std::make_shared<program_order>(2);
  ordering_bench here(0, everywhere, 1, 1024), elsewhere(1, everywhere, 1);
  elsewhere.add(long_task);
  REQUIRE(elsewhere.release() == places{{1, 0}});
  here.number_from(2);
  const auto starved = here.add(long_task, {}, 2 * kibibyte);
  CHECK(here.release().empty());
  elsewhere.release();
  CHECK_FALSE(elsewhere.others_look);
  elsewhere.end(1);
  elsewhere.release();
  CHECK(elsewhere.others_look);
  CHECK(here.release() == places{{2, 0}});
}

TEST_CASE("tasks of another ordering that are not released yet come first, too") {
  const auto everywhere = std::make_shared<program_order>(2);
  ordering_bench here(0, everywhere, 1, 1024), elsewhere(1, everywhere, 1);
  elsewhere.add(long_task, {make_value(0, 77)});  // its input's news is on the way
  elsewhere.release();
  here.number_from(2);
  const auto starved = here.add(long_task, {}, 2 * kibibyte);
  CHECK(here.release().empty());
  elsewhere.release();
  CHECK(here.release().empty());
}

TEST_CASE("tasks that are under way to another ordering come first, too") {
  const auto everywhere = std::make_shared<program_order>(2);
  ordering_bench here(0, everywhere, 1, 1024), elsewhere(1, everywhere, 1);
  const std::uint64_t under_way = GENERATE(1, 3);
  everywhere->expect(1, 1);
  here.number_from(2);
  const auto starved = here.add(long_task, {}, 2 * kibibyte);
  CHECK(here.release().empty());
  CHECK(here.others_look);
  elsewhere.release();
  CHECK_FALSE(elsewhere.others_look);  // it does not know yet
  CHECK(here.release().empty());
  elsewhere.number_from(under_way);
  elsewhere.add(long_task);
  CHECK(elsewhere.release() == places{{under_way, 0}});
  CHECK(elsewhere.others_look == (under_way == 3));
  if (under_way == 1) {
    CHECK(here.release().empty());
    elsewhere.end(1);
    elsewhere.release();
    CHECK(elsewhere.others_look);
  }
  CHECK(here.release() == places{{2, 0}});
}

TEST_CASE("scratch takes credit while its task is in flight") {
  ordering_bench bench(2, 4096);
  bench.scratch = 3072;
  const auto a = bench.add(long_task, {}, kibibyte), b = bench.add(long_task, {}, kibibyte);
  CHECK(bench.release() == places{{1, 0}});
  bench.end(1);
  CHECK(bench.release() == places{{2, 0}});  // not beside the output of 1, but its turn has come
}

TEST_CASE("under a strict limit, what does not fit when its turn has come fails, and alone") {
  ordering_bench bench(2, {4096, true});
  const auto small = bench.add(long_task, {}, kibibyte),
             huge = bench.add(long_task, {}, 64 * kibibyte),
             reader = bench.add(long_task, {huge}, 64 * kibibyte),
             after = bench.add(long_task, {}, kibibyte);
  CHECK(bench.release() == places{{1, 0}, {4, 1}});
  bench.end(1);
  bench.end(4);
  bench.release();
  CHECK(bench.alive == 0);
  CHECK(small->ready());
  CHECK(after->ready());
  REQUIRE(huge->failed());
  CHECK_THAT(
      huge->why()->text,
      Catch::Contains("out of memory: 64.0 KiB do not fit under the memory limit of 4.0 KiB, "
                      "of which 2.0 KiB are in use"));
  REQUIRE(reader->failed());
  CHECK(reader->why() == huge->why());
}

TEST_CASE("under a strict limit, a task waits for those in flight before it fails") {
  ordering_bench bench(2, {4096, true});
  auto a = bench.add(long_task, {}, 3 * kibibyte);
  bench.release();
  bench.end(1);
  bench.add(long_task);
  const auto large = bench.add(long_task, {}, 3 * kibibyte);  // task 3
  bench.add(long_task, {a});                                  // frees the memory of a
  a = nullptr;
  CHECK(bench.release() == places{{2, 0}, {4, 1}});
  bench.end(2);
  bench.add(long_task);
  CHECK(bench.release().empty());  // not even task 5: the turn of task 3 has come
  bench.end(4);
  CHECK(bench.release() == places{{3, 0}, {5, 1}});
  bench.end(3);
  CHECK(large->ready());
}

TEST_CASE(
    "under a strict limit, the end of one that does not fit lets others of a higher priority "
    "look") {
  ordering_bench bench(2, {4096, true});
  const int others = GENERATE(1, 200);  // more are not tried in one round
  const auto held = bench.add(long_task, {}, 3 * kibibyte);
  bench.add(long_task);
  REQUIRE(bench.release() == places{{1, 0}, {2, 1}});
  const auto low = bench.add(long_task, {}, 2 * kibibyte);
  bench.priority = 1;
  std::vector<value_ref> high;
  for (int i = 0; i < others; ++i) high.push_back(bench.add(long_task, {}, 2 * kibibyte));
  CHECK(bench.release().empty());
  bench.end(1);
  bench.end(2);
  int rounds = 0;
  do CHECK(bench.release().empty());
  while (bench.others_look && ++rounds < 1000);
  CHECK(low->failed());
  for (const auto& one : high) REQUIRE(one->failed());
}

TEST_CASE("under a strict limit, orderings fall silent while a task waits for those in flight") {
  const auto everywhere = std::make_shared<program_order>(2);
  ordering_bench one(0, everywhere, 2, {4096, true}), other(1, everywhere, 1);
  auto held = one.add(long_task, {}, 3 * kibibyte);  // bytes
  one.release();
  one.end(1);
  const auto large = one.add(long_task, {}, 2 * kibibyte);
  one.add(long_task);
  other.number_from(4);
  other.add(long_task);
  other.release();
  // Messages that are under way to each.
  int to_one = 0, to_other = 0;
  const auto look = [&](ordering_bench& at) {
    at.release();
    if (at.others_look) ++to_one, ++to_other;
  };
  look(one);
  CHECK(one.subject().in_flight() == 1);
  int rounds = 0;
  for (; (to_one > 0 || to_other > 0) && rounds < 1000; ++rounds) {
    if (to_other > 0) --to_other, look(other);
    if (to_one > 0) --to_one, look(one);
  }
  CHECK(rounds < 10);
  held = nullptr;
  one.end(3);
  CHECK(one.release() == places{{2, 0}});
  one.end(2);
  CHECK(large->ready());
}
