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

TEST_CASE("a task put into an empty inbox may have to call the reader, once for all that follow") {
  inbox tasks;
  CHECK(tasks.empty());
  CHECK(tasks.put(numbered(1)));
  CHECK_FALSE(tasks.put(numbered(2)));
  CHECK_FALSE(tasks.empty());
  CHECK(tasks.call());
  CHECK_FALSE(tasks.call());
  task_ptr first(tasks.take()), second(first->next);
  CHECK(first->sequence == 1);
  CHECK(second->sequence == 2);
  CHECK(second->next == nullptr);
  CHECK(tasks.empty());
  CHECK(tasks.take() == nullptr);
  CHECK(tasks.put(numbered(3)));
  CHECK(tasks.call());
  task_ptr third(tasks.take());
  CHECK(third->sequence == 3);
}

TEST_CASE("an inbox destroys tasks that were never taken, and their values fail") {
  const auto v = make_value(0, 1);
  {
    inbox tasks;
    auto t = numbered(1);
    t->add_output(v);
    const bool was_empty = tasks.put(std::move(t));
    REQUIRE(was_empty);
  }
  REQUIRE(v->failed());
  CHECK(v->why()->why == failure::reason::cancelled);
}

TEST_CASE(
    "many threads fill an inbox: nothing is lost, each thread's order is kept, and a waiting "
    "reader is called") {
  constexpr std::uint64_t producers = 6, each = 20'000;
  inbox tasks;
  std::counting_semaphore<> called(0);
  std::atomic<std::uint64_t> calls = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t p = 0; p < producers; ++p)
    threads.emplace_back([&, p] {
      for (std::uint64_t i = 0; i < each; ++i) {
        if (tasks.put(numbered(p * each + i)) && tasks.call()) {
          ++calls;
          called.release();
        }
      }
    });

  std::vector<std::uint64_t> next(producers, 0);
  std::uint64_t taken = 0, answered = 0, out_of_order = 0;
  while (taken < producers * each) {
    called.acquire();  // without the call, the test hangs here
    ++answered;
    for (auto* t = tasks.take(); t;) {
      task_ptr one(std::exchange(t, t->next));
      const auto p = one->sequence / each;
      out_of_order += one->sequence % each != next[p]++;
      ++taken;
    }
  }
  for (auto& t : threads) t.join();
  CHECK(out_of_order == 0);
  CHECK(calls - answered <= 1);  // never called twice before it takes
  CHECK(tasks.take() == nullptr);
}

TEST_CASE("an inbox whose frontend is called waits for nobody") {
  inbox tasks;
  CHECK_FALSE(tasks.waits());
  CHECK(tasks.put(numbered(1)));
  CHECK(tasks.waits());
  CHECK(tasks.call());
  CHECK_FALSE(tasks.waits());  // although it is not empty: who looks for work finds none here
  delete tasks.take();
  CHECK(tasks.put(numbered(2)));
  CHECK(tasks.waits());
}
