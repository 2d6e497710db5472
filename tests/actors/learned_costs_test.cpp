// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/actors/learned_costs.hpp"
#include "troupe/tests/actors/simulated_task.hpp"

using namespace troupe;

namespace {

constexpr operation first_operation{.name = "first", .doc = "For tests."},
    second_operation{.name = "second", .doc = "For tests."},
    users_operation{.name = "user's", .doc = "For tests.", .users_own = true};

task_ptr make(const operation& op, float estimate, double bytes,
              std::source_location where = std::source_location::current()) {
  task_ptr t(new task(op, cpu(), where));
  t->estimate = estimate;
  t->cost.bytes = bytes;
  return t;
}

}  // namespace

TEST_CASE("tasks are expected to take what tasks like them took") {
  learned_costs costs;
  const auto t = make(first_operation, 30'000, 480'000);
  CHECK(costs.expected(*t) == 30'000);
  costs.note(*t, 6'000);
  CHECK(costs.expected(*t) == 6'000);
  for (int i = 0; i < 40; ++i) costs.note(*t, 9'000);
  CHECK(costs.expected(*t) == Approx(9'000).epsilon(0.01));
  CHECK(costs.expected(*make(first_operation, 30'000, 480'008)) == 30'000);
  CHECK(costs.expected(*make(second_operation, 30'000, 480'000)) == 30'000);
}

TEST_CASE("a thread that lost its core once does not spoil what was learned") {
  learned_costs costs;
  const auto t = make(first_operation, 30'000, 480'000);
  costs.note(*t, 10'000);
  costs.note(*t, 50'000'000);
  CHECK(costs.expected(*t) < 20'000);
}

TEST_CASE("users' functions are told apart by their lines") {
  learned_costs costs;
  const auto here = std::source_location::current();
  const auto elsewhere = std::source_location::current();
  costs.note(*make(users_operation, 1'000'000, 8, here), 2e9);
  CHECK(costs.expected(*make(users_operation, 1'000'000, 8, here)) == 2e9f);
  CHECK(costs.expected(*make(users_operation, 1'000'000, 8, elsewhere)) == 1'000'000);
}

TEST_CASE("users' functions that claim to take no time are taken at their word") {
  learned_costs costs;
  const auto empty = make(users_operation, 0, 0);
  for (int i = 0; i < 3; ++i) costs.note(*empty, 50'000);
  CHECK(costs.expected(*empty) == 0);
}

TEST_CASE("neither the smallest tasks nor tasks that are late on purpose are learned") {
  learned_costs costs;
  const auto small = make(first_operation, 300, 64);
  costs.note(*small, 90'000);
  CHECK(costs.expected(*small) == 300);
  const auto late = make(first_operation, 30'000, 480'000);
  late->injected.late = true;
  costs.note(*late, 900'000);
  CHECK(costs.expected(*make(first_operation, 30'000, 480'000)) == 30'000);
}

TEST_CASE("a task that turned out to be short is still learned") {
  learned_costs costs;
  const auto t = make(first_operation, 30'000, 480'000);
  costs.note(*t, 100);
  t->estimate = costs.expected(*t);
  for (int i = 0; i < 40; ++i) costs.note(*t, 60'000);
  CHECK(costs.expected(*t) > 50'000);
}
