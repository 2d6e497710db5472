// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <semaphore>
#include <thread>

#include "troupe/actors/inbox.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

task_ptr numbered(std::uint64_t number) {
  auto t = std::make_unique<task>(simulated_operation, cpu(), std::source_location::current());
  t->sequence = number;
  return t;
}

}  // namespace

TEST_CASE("only the first task put into an idle inbox wakes the reader") {
  inbox tasks;
  CHECK(tasks.put(numbered(1)));
  CHECK_FALSE(tasks.put(numbered(2)));
  task_ptr first(tasks.take()), second(first->next);
  CHECK(first->sequence == 1);
  CHECK(second->sequence == 2);
  CHECK(second->next == nullptr);
  CHECK(tasks.take() == nullptr);
  CHECK_FALSE(tasks.put(numbered(3)));  // the reader is not idle yet
  CHECK_FALSE(tasks.rest());
  task_ptr third(tasks.take());
  CHECK(third->sequence == 3);
  CHECK(tasks.rest());
  CHECK(tasks.rest());
  CHECK(tasks.take() == nullptr);
  CHECK(tasks.put(numbered(4)));
  CHECK_FALSE(tasks.rest());
}

TEST_CASE("an inbox destroys tasks that were never taken, and their values fail") {
  const auto v = make_value(0, 1);
  {
    inbox tasks;
    auto t = numbered(1);
    t->add_output(v);
    REQUIRE(tasks.put(std::move(t)));
  }
  REQUIRE(v->failed());
  CHECK(v->why()->why == failure::reason::cancelled);
}

TEST_CASE(
    "many threads fill an inbox: nothing is lost, each thread's order is kept, and a sleeping "
    "reader is woken") {
  constexpr std::uint64_t producers = 6, each = 20'000;
  inbox tasks;
  std::counting_semaphore<> wake(0);
  std::atomic<std::uint64_t> wakings = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t p = 0; p < producers; ++p)
    threads.emplace_back([&, p] {
      for (std::uint64_t i = 0; i < each; ++i) {
        if (tasks.put(numbered(p * each + i))) {
          ++wakings;
          wake.release();
        }
      }
    });

  std::vector<std::uint64_t> next(producers, 0);
  std::uint64_t taken = 0, naps = 0, out_of_order = 0;
  while (taken < producers * each) {
    wake.acquire();  // without the wake-up, the test hangs here
    ++naps;
    do {
      for (auto* t = tasks.take(); t;) {
        task_ptr one(std::exchange(t, t->next));
        const auto p = one->sequence / each;
        out_of_order += one->sequence % each != next[p]++;
        ++taken;
      }
    } while (!tasks.rest());
  }
  for (auto& t : threads) t.join();
  CHECK(out_of_order == 0);
  CHECK(wakings == naps);  // woken only when the reader was idle, so never twice for one sleep
  CHECK(tasks.take() == nullptr);
}
