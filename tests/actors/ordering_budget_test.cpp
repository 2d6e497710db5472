// SPDX-License-Identifier: MIT
#include "troupe/tests/actors/ordering_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("what a budget holds back does not keep other tasks from their turn") {
  ordering_bench bench(2, 4096);
  const auto budget = std::make_shared<memory_budget>(cpu(), bench.device_memory(), 1024);
  const auto held = bench.add(long_task, {}, 4 * kibibyte);
  bench.release();
  bench.end(1);
  std::vector<value_ref> loads;
  {
    const budget_scope scope(budget);
    for (int i = 0; i < 3; ++i) loads.push_back(bench.add(long_task, {}, kibibyte));
  }
  const auto starved = bench.add(long_task, {}, kibibyte);  // task 5
  CHECK(bench.release() == places{{2, 0}});                 // its turn has come
  bench.end(2);
  CHECK(bench.release() == places{{3, 0}});  // nothing is in flight
}

TEST_CASE("the earliest task is tried, however many of a higher priority a budget starves") {
  ordering_bench bench(2);
  bench.bound_lane = GENERATE(-1, 1);
  const auto budget = std::make_shared<memory_budget>(cpu(), bench.device_memory(), 1024);
  std::vector<value_ref> loads;
  const auto load = [&] {
    const budget_scope scope(budget);
    loads.push_back(bench.add(long_task, {}, kibibyte));
  };
  load();
  bench.release();
  bench.end(1);
  bench.add(long_task);  // task 2
  bench.priority = 1;
  for (int i = 0; i < 100; ++i) load();
  const auto released = bench.release();
  REQUIRE(released.size() == 1);
  CHECK(released[0].task == 2);
  bench.end(2);
  CHECK(bench.release().size() == 1);  // nothing is in flight
}

TEST_CASE("a budget is kept while a task of another ordering waits for its input's news") {
  const auto everywhere = std::make_shared<program_order>(2);
  ordering_bench here(0, everywhere, 1), elsewhere(1, everywhere, 1);
  const auto budget = std::make_shared<memory_budget>(cpu(), here.device_memory(), 1024);
  const auto load = [&] {
    const budget_scope scope(budget);
    return here.add(long_task, {}, kibibyte);
  };
  const auto first = load();
  REQUIRE(here.release() == places{{1, 0}});
  elsewhere.number_from(2);
  elsewhere.add(long_task, {first});  // may free the memory of its input
  elsewhere.release();
  REQUIRE(elsewhere.watches.size() == 1);
  here.number_from(3);
  const auto ahead = load();
  here.end(1);
  CHECK(here.release().empty());  // though nothing is in flight
  elsewhere.resolved(*first);
  CHECK(elsewhere.release() == places{{2, 0}});
  CHECK(here.release().empty());
  elsewhere.end(2);
  elsewhere.release();
  CHECK(elsewhere.others_look);
  CHECK(here.release() == places{{3, 0}});
}
