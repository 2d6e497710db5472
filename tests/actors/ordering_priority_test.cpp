// SPDX-License-Identifier: MIT
#include "troupe/tests/actors/ordering_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("among ready tasks, a higher priority goes first, then program order") {
  ordering_bench bench(1);
  bench.add(long_task);
  REQUIRE(bench.release() == places{{1, 0}});
  for (const int priority : {0, -1, 2, 0, 2, 127, -128}) {
    bench.priority = priority;
    bench.add(long_task);  // tasks 2 to 8
  }
  std::uint64_t last = 1;
  for (const std::uint64_t expected : {7, 4, 6, 2, 5, 3, 8}) {
    bench.end(std::exchange(last, expected));
    REQUIRE(bench.release() == places{{expected, 0}});
  }
}

TEST_CASE("of the tasks that may follow on a lane, those of a higher priority go first") {
  ordering_bench bench(1);
  const auto x = bench.add(long_task);
  REQUIRE(bench.release() == places{{1, 0}});
  bench.add(long_task, {x});
  bench.priority = 3;
  bench.add(long_task, {x});
  bench.end(1);
  CHECK(bench.release() == places{{3, 0}});
}

TEST_CASE("a follower of high priority goes before ready tasks, and one of low priority after") {
  const int priority = GENERATE(-1, 1);
  ordering_bench bench(1);
  const auto x = bench.add(medium_task);
  REQUIRE(bench.release() == places{{1, 0}});
  bench.priority = priority;
  bench.add(medium_task, {x});
  bench.priority = 0;
  bench.add(medium_task);
  CHECK(bench.release() == (priority > 0 ? places{{2, 0}, {3, 0}} : places{{3, 0}, {2, 0}}));
}

TEST_CASE("a high priority does not let results be computed far ahead of their readers") {
  ordering_bench bench(2);
  const auto elsewhere = make_value(1, 0);
  bench.add(short_task, {elsewhere});
  for (int i = 0; i < 20; ++i) {
    bench.priority = 5;
    const auto made = bench.add(medium_task, {}, kibibyte);
    bench.priority = 0;
    bench.add(medium_task, {made, elsewhere});
  }
  CHECK(bench.release().size() == 2);  // one for each lane
}

TEST_CASE("tasks of a high priority that lack memory let others go first") {
  ordering_bench bench(2, 4096);
  const auto held = bench.add(long_task, {}, 3 * kibibyte);
  REQUIRE(bench.release() == places{{1, 0}});
  bench.priority = 1;
  const auto large = bench.add(long_task, {}, 2 * kibibyte);
  bench.priority = 0;
  const auto small = bench.add(long_task, {}, kibibyte);
  CHECK(bench.release() == places{{3, 1}});
}

TEST_CASE(
    "what is first in program order goes beyond the limit, however many of a higher priority "
    "wait") {
  ordering_bench bench(2, 4096);
  bench.add(long_task, {}, 3 * kibibyte);
  REQUIRE(bench.release() == places{{1, 0}});
  bench.priority = -1;
  const auto first = bench.add(long_task, {}, 8 * kibibyte);
  bench.priority = 1;
  for (int i = 0; i < 200; ++i) bench.add(long_task, {}, 6 * kibibyte);
  CHECK(bench.release().empty());
  bench.end(1);
  CHECK(bench.release() == places{{2, 0}});
  CHECK(first->pending());
}
