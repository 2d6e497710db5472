// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using numbers = std::vector<std::uint64_t>;
using status = task_state::status;

/// Returns the listed task that computes `x`; fails the test if there is none.
task_state find(const std::vector<task_state>& all, const tensor& x) {
  for (const auto& s : all) {
    if (s.sequence == x.source()->sequence) return s;
  }
  FAIL("not listed: " << x.source()->sequence);
  return {};
}

}  // namespace

TEST_CASE("an idle runtime has nothing pending and lists nothing") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  CHECK(rt.pending() == 0);
  CHECK(rt.tasks().empty());
  filled(rt.engine(), {}, 1);
  rt.wait_all();
  CHECK(rt.pending() == 0);
  CHECK(rt.tasks().empty());
}

TEST_CASE("a synchronous runtime has nothing pending and lists nothing") {
  runtime rt({.lanes = 1, .synchronous = true});
  filled(rt.engine(), {}, 1);
  CHECK(rt.pending() == 0);
  CHECK(rt.tasks().empty());
}

TEST_CASE("a waiting task lists the tasks that it waits for, on its device or another") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  gate g;
  const auto a = gated(e, g), b = gated(e, g), there = gated(e, g, {}, {1e6f, -1, false, cpu(1)});
  REQUIRE(g.await_inside(3));
  const auto back = to(there, cpu(0)), join = plus(e, a, b), twice = plus(e, join, join),
             last = plus(e, twice, back);
  CHECK(rt.pending() == 7);
  const auto all = rt.tasks();
  REQUIRE(all.size() == 7);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].sequence == i + 1);
  CHECK(find(all, a).waits_for.empty());
  CHECK(find(all, back).waits_for == numbers{3});
  CHECK(find(all, join).waits_for == numbers{1, 2});
  CHECK(find(all, twice).waits_for == numbers{5});
  CHECK(find(all, last).waits_for == numbers{4, 6});
  for (const auto& x : {back, join, twice, last}) {
    CHECK(find(all, x).state == status::waiting);
    CHECK(find(all, x).lane == -1);
  }
  g.open();
  CHECK(last.item<double>() == 5);
}

TEST_CASE("running tasks are distinguished from those behind them while every lane is busy") {
  // Beside busy processes a lane may be found to take far longer than estimated; it gives back what
  // is behind its task, and another attempt is made.
  for (int attempt = 1;; ++attempt) {
    runtime rt({.lanes = 2, .cpu_devices = 1});
    auto& e = rt.engine();
    gate g;
    const how long_enough{.nanoseconds = 1e6f};
    const auto a = gated(e, g, {}, long_enough), b = gated(e, g, {}, long_enough);
    REQUIRE(g.await_inside(2));
    const auto behind = increment(e, a), further = increment(e, behind);
    const auto all = rt.tasks();
    g.open();
    REQUIRE(all.size() == 4);
    CHECK(find(all, a).state == status::running);
    CHECK(find(all, b).state == status::running);
    CHECK(find(all, a).lane != find(all, b).lane);
    CHECK(find(all, behind).waits_for == numbers{1});
    CHECK(find(all, further).waits_for == numbers{3});
    if (find(all, behind).state == status::waiting && attempt < 50) continue;
    CHECK(find(all, behind).state == status::sent);
    CHECK(find(all, behind).lane == find(all, a).lane);
    break;
  }
}

TEST_CASE(
    "tasks that have ended on a lane are not listed, even if the lane has not reported them yet") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate first, second;
  const auto start = gated(e, first);
  REQUIRE(first.await_inside(1));
  const auto before = increment(e, start), stuck = gated(e, second, {before}, {.nanoseconds = 100}),
             after = increment(e, stuck);
  first.open();
  REQUIRE(second.await_inside(1));
  const auto all = rt.tasks();
  REQUIRE(all.size() == 2);
  CHECK(find(all, stuck).state == status::running);
  CHECK(find(all, stuck).waits_for.empty());
  CHECK(find(all, after).waits_for == numbers{3});
}

TEST_CASE("a task shared by lanes is listed once, as running") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  bool is_shared = false;
  // On a busy machine, all helpers may give up before the task is started.
  for (int tries = 0; !is_shared && tries < 4; ++tries) {
    gate g;
    const auto x = call(rt.engine(), {}, {8},
                        [way = g.through()](const kernel_args&, auto, auto) { way.pass(); },
                        {.nanoseconds = 1e6, .chunks = 8});
    is_shared = g.await_inside(2);
    const auto all = rt.tasks();
    REQUIRE(all.size() == 1);
    CHECK(find(all, x).state == status::running);
    g.open();
    x.wait();
  }
  CHECK(is_shared);
}

TEST_CASE("a listed task has its call site, its output types and its submission time") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  auto& e = rt.engine();
  gate g;
  const auto before = now();
  const auto a = gated(e, g, {}, {1e6f, -1, false, cpu(1)});
  const auto nothing = [](const kernel_args&, auto, auto) {};
  const auto line = static_cast<unsigned>(__LINE__) + 1;
  const auto b = call_two(e, {a}, {2, 3}, nothing, {.nanoseconds = 7});
  REQUIRE(g.await_inside(1));
  const auto all = rt.tasks();
  const auto s = find(all, b[0]);
  CHECK(s.name == "body");
  CHECK(s.call_site.line() == line);
  CHECK(s.device == cpu(1));
  CHECK(s.lane == 1);
  CHECK(s.estimate == 7);
  CHECK(s.outputs == std::vector<tensor_type>(2, {{2, 3}, float64, cpu(1)}));
  CHECK(s.submitted > before);
  CHECK(s.submitted < now());
  CHECK(to_string(s.state) == "sent");
}

TEST_CASE("a task that lacks memory is listed as such") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .memory_limit = std::size_t{1} << 20});
  auto& e = rt.engine();
  gate g;
  const auto large =
      call(e, {}, {100'000}, [way = g.through()](const kernel_args&, auto, auto) { way.pass(); },
           {.nanoseconds = 1e6});
  REQUIRE(g.await_inside(1));
  const auto other = filled(e, {100'000}, 2, {.nanoseconds = 1e6});
  CHECK(find(rt.tasks(), other).state == status::no_memory);
  CHECK(to_string(status::no_memory) == "no memory");
  g.open();
  CHECK(other.to_vector<double>()[0] == 2);
}

TEST_CASE("tasks may be listed at any time while they run") {
  runtime rt({.lanes = 3, .cpu_devices = 2});
  auto& e = rt.engine();
  std::atomic<bool> done = false;
  std::jthread looker([&] {
    while (!done) {
      std::uint64_t last = 0;
      for (const auto& s : rt.tasks()) {
        if (s.sequence <= last || s.outputs.empty()) done = true, last = ~std::uint64_t{0};
        else last = s.sequence;
        for (auto one : s.waits_for) done = done || one >= s.sequence;
      }
    }
  });
  tensor x = filled(e, {100}, 0), y = filled(e, {100}, 0, {.device = cpu(1)});
  for (int i = 0; i < 20'000; ++i) {
    x = increment(e, x, i % 97 ? 0.f : 60'000.f);
    if (i % 10 == 0) y = plus(e, y, to(x, cpu(1)));
  }
  rt.wait_all();
  CHECK_FALSE(done);
  done = true;
  CHECK(x.to_vector<double>()[0] == 20'000);
}

TEST_CASE("an operation may not ask for the list of tasks") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const auto x = call(rt.engine(), {}, {}, [&](const kernel_args&, auto, auto) { rt.tasks(); });
  CHECK_THAT(error_of(x), Catch::Contains("tasks: not possible inside an operation"));
}
