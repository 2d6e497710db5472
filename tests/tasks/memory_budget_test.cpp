// SPDX-License-Identifier: MIT
#include "troupe/tasks/memory_budget.hpp"

#include "troupe/tests/actors/ordering_bench.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

std::shared_ptr<memory_budget> two_kibibytes(const ordering_bench& bench) {
  return std::make_shared<memory_budget>(cpu(), bench.device_memory(), 2048);
}

/// Adds tasks of a kibibyte each that keep to a budget.
std::vector<value_ref> add_loads(ordering_bench& bench, const std::shared_ptr<memory_budget>& a,
                                 int count) {
  const budget_scope scope(a);
  std::vector<value_ref> out;
  for (int i = 0; i < count; ++i) out.push_back(bench.add(long_task, {}, kibibyte));
  return out;
}

}  // namespace

TEST_CASE("tasks with a memory_budget are released up to its limit, others are unaffected") {
  ordering_bench bench(8);
  const auto a = two_kibibytes(bench);
  auto loads = add_loads(bench, a, 4);
  bench.add(long_task, {}, 5 * kibibyte);
  CHECK(bench.release() == places{{1, 0}, {2, 1}, {5, 2}});
  bench.end(1);
  CHECK(bench.release().empty());  // the output is live
  loads[0] = nullptr;
  CHECK(bench.release() == places{{3, 0}});
  CHECK(a->statistics().peak == 2048);
}

TEST_CASE("credits return when the memory is freed, whichever value holds it") {
  ordering_bench bench(2);
  const auto a = two_kibibytes(bench);
  auto x = add_loads(bench, a, 1)[0];
  bench.release();
  bench.end(1);
  CHECK(a->live() == 1024);
  auto same = x;
  x = nullptr;
  CHECK(a->live() == 1024);
  same = nullptr;
  CHECK(a->live() == 0);
}

TEST_CASE("credits that a failed or cancelled task did not use return when it ends") {
  ordering_bench bench(2);
  const auto a = two_kibibytes(bench);
  auto loads = add_loads(bench, a, 3);
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
  CHECK(a->live() == 2048);
  bench.cancel();   // cancels the third
  bench.report(1);  // reported without having run
  CHECK(a->live() == 1024);
  bench.end(2);
  loads.clear();
  CHECK(a->live() == 0);
}

TEST_CASE("when all credits are held and nothing is in flight, one task is released at a time") {
  ordering_bench bench(4);
  const auto a = two_kibibytes(bench);
  const auto held = add_loads(bench, a, 6);
  CHECK(bench.release() == places{{1, 0}, {2, 1}});
  bench.end(1);
  bench.end(2);
  for (std::uint64_t i = 3; i <= 6; ++i) {
    const auto now = bench.release();
    REQUIRE(now.size() == 1);
    CHECK(now[0].task == i);
    bench.end(i);
  }
  CHECK(held.back()->ready());
}

TEST_CASE("loads do not count as work ahead of the program: their credits bound them, in order") {
  ordering_bench bench(1);
  const auto a = two_kibibytes(bench);
  value_ref state = bench.add(long_task);  // task 1
  for (int i = 0; i < 4; ++i) {            // loads are tasks 2, 4, 6, 8
    const auto x = add_loads(bench, a, 1)[0];
    state = bench.add(medium_task, {x, state});
  }
  std::vector<std::uint64_t> order;
  for (auto now = bench.release(); !now.empty(); now = bench.release()) {
    for (const auto& p : now) {
      order.push_back(p.task);
      bench.end(p.task);
    }
  }
  CHECK(order.size() == 9);
  std::vector<std::uint64_t> loads;
  for (const auto t : order) {
    if (t % 2 == 0) loads.push_back(t);
  }
  CHECK(loads == std::vector<std::uint64_t>{2, 4, 6, 8});
  CHECK(a->statistics().peak <= 2048);
  CHECK(a->live() == 0);
  CHECK(bench.alive == 0);
}

TEST_CASE("without an ordering, a memory_budget counts and refuses nothing") {
  ordering_bench bench(1);
  const auto a = two_kibibytes(bench);
  value_ref v = make_value(0, 1, 5 * kibibyte);
  {
    budget_grant p(a);
    p.allocate(*v);
  }
  CHECK(a->live() == 5 * 1024);
  v = nullptr;
  CHECK(a->live() == 0);
}

TEST_CASE("only tasks on the memory_budget's device keep to it") {
  ordering_bench bench(1);
  const auto a = two_kibibytes(bench);
  CHECK(budget_scope::grant_for(cpu()) == nullptr);
  const budget_scope scope(a);
  CHECK(budget_scope::grant_for(cpu()) != nullptr);
  CHECK(budget_scope::grant_for(cpu(1)) == nullptr);
  const std::shared_ptr<memory_budget> nothing;
  const budget_scope none(nothing);
  CHECK(budget_scope::grant_for(cpu()) == nullptr);
}
