// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <set>
#include <thread>

#include "troupe/actors/assignment.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

struct assigned {
  explicit assigned(std::uint64_t count, float estimate = 300) {
    for (std::uint64_t i = 0; i < count; ++i) {
      auto t = make_task(i, estimate, alive, runs);
      t->add_output(make_value(0, i + 1));
      outputs.push_back(t->outputs[0]);
      tasks->push_back(std::move(t));
    }
  }

  int alive = 0, runs = 0;
  std::vector<value_ref> outputs;
  assignment_ref tasks{new assignment};
};

}  // namespace

TEST_CASE("a lane takes the tasks of an assignment in order") {
  const auto count = GENERATE(0, 1, 30, 31, 32, 62, 63, 200);
  assigned some(static_cast<std::uint64_t>(count));
  CHECK(some.tasks->size() == static_cast<std::size_t>(count));
  std::uint64_t expected = 0;
  some.tasks->for_each([&](const task& t) { REQUIRE(t.sequence == ++expected); });
  CHECK(expected == static_cast<std::uint64_t>(count));
  for (std::uint64_t i = 1; i <= expected; ++i) REQUIRE(some.tasks->pop_front()->sequence == i);
  CHECK_FALSE(some.tasks->pop_front());
  CHECK(some.alive == 0);
}

TEST_CASE("a lane does not find tasks that were taken back") {
  assigned some(100);
  std::vector<task_ptr> back;
  for (std::size_t i = 0; i < 100; i += 2) back.emplace_back(some.tasks->take_back(i));
  for (const auto& t : back) REQUIRE(t);
  for (std::uint64_t i = 2; i <= 100; i += 2) REQUIRE(some.tasks->pop_front()->sequence == i);
  CHECK_FALSE(some.tasks->pop_front());
  for (std::size_t i = 0; i < 100; ++i) REQUIRE_FALSE(some.tasks->take_back(i));
  CHECK(some.alive == 50);
}

TEST_CASE("what follows a long task can be taken back while the lane is at it") {
  assigned some(2, 1e6);
  const auto begun = some.tasks->pop_front();
  const task_ptr back(some.tasks->take_back(1));
  REQUIRE(back);
  CHECK(back->sequence == 2);
  CHECK_FALSE(some.tasks->take_back(0));
}

TEST_CASE("tasks that nobody took fail when their assignment is dropped") {
  assigned some(70);
  const auto first = some.tasks->pop_front();
  const task_ptr back(some.tasks->take_back(40));
  some.tasks = nullptr;
  for (std::size_t i = 0; i < 70; ++i) REQUIRE(some.outputs[i]->failed() == (i != 0 && i != 40));
  CHECK(some.alive == 2);
}

TEST_CASE("of two threads that want a task, one gets it") {
  for (int round = 0; round < 200; ++round) {
    assigned some(64);
    std::vector<task_ptr> back, taken;
    {
      const std::jthread lane([&] {
        while (auto t = some.tasks->pop_front()) taken.push_back(std::move(t));
      });
      for (std::size_t i = 64; i-- > 0;) {
        if (task_ptr t{some.tasks->take_back(i)}) back.push_back(std::move(t));
      }
    }
    std::set<std::uint64_t> all;
    for (const auto& t : back) all.insert(t->sequence);
    for (const auto& t : taken) all.insert(t->sequence);
    REQUIRE(back.size() + taken.size() == 64);
    REQUIRE(all.size() == 64);
  }
}
