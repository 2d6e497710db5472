// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tasks/priority.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/comes_true.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("independent tasks run at the same time on all lanes, and no more of them") {
  const auto lanes = GENERATE(1, 2, 8);
  runtime rt({.lanes = lanes, .cpu_devices = 1});
  gate g;
  std::vector<tensor> all;
  for (int i = 0; i < 2 * lanes; ++i) all.push_back(gated(rt.engine(), g));
  REQUIRE(g.await_inside(lanes));
  CHECK(g.entered() == lanes);
  g.open();
  for (const auto& x : all) x.wait();
  CHECK(g.most() <= lanes);
  CHECK(g.entered() == 2 * lanes);
}

TEST_CASE("tasks of several devices run at the same time") {
  runtime rt({.lanes = 1, .cpu_devices = 3});
  gate g;
  for (int d = 0; d < 3; ++d) gated(rt.engine(), g, {}, {.nanoseconds = 1e6, .device = cpu(d)});
  CHECK(g.await_inside(3));
}

TEST_CASE("while several devices compute for long, the engine looks up seldom") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  gate g;
  for (int d = 0; d < 2; ++d) gated(rt.engine(), g, {}, {.nanoseconds = 1e6, .device = cpu(d)});
  REQUIRE(g.await_inside(2));
  const auto sleeps = [] {
    rusage process{};
    getrusage(RUSAGE_SELF, &process);
    return process.ru_nvcsw;
  };
  const auto before = sleeps();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(sleeps() - before < 1000);  // every 2 milliseconds
  g.open();
}

TEST_CASE("long tasks of a device run on its cores, whichever thread takes its lane") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  std::vector<cpu_set_t> cores[2];
  const auto note = [&](int d, const tensor& x) {
    return call(
        rt.engine(), {x}, {},
        [&cores, d](const kernel_args&, auto, auto) {
          std::this_thread::sleep_for(std::chrono::microseconds(100));  // short tasks go anywhere
          sched_getaffinity(0, sizeof(cpu_set_t), &cores[d].emplace_back());
        },
        {.nanoseconds = 1e6, .device = cpu(d)});
  };
  tensor x = filled(rt.engine(), {}, 0);
  for (int i = 0; i < 300; ++i) x = to(note(1, to(note(0, x), cpu(1))), cpu(0));
  x.wait();
  for (const auto& of_one : cores) {
    REQUIRE(of_one.size() == 300);
    CHECK(CPU_COUNT(&of_one[0]) > 0);
    CHECK(std::ranges::all_of(of_one, [&](auto& set) { return CPU_EQUAL(&set, &of_one[0]); }));
  }
  cpu_set_t both;
  CPU_AND(&both, &cores[0][0], &cores[1][0]);
  CHECK((CPU_COUNT(&both) == 0 || available_cores() < 2));
}

TEST_CASE("tasks of a chain run one after the other, in order") {
  const float estimate = GENERATE(0.f, 50'000.f, 1e8f);
  runtime rt({.lanes = 4, .cpu_devices = 1});
  std::atomic<int> inside = 0, wrong = 0;
  int last = -1;  // guarded by the order of the chain
  tensor x = filled(rt.engine(), {}, 0);
  for (int i = 0; i < 2'000; ++i)
    x = call(rt.engine(), {x}, {},
             [&, i](const kernel_args& a, auto, auto) {
               wrong += inside.fetch_add(1) != 0 || last != i - 1 || *begin(a.inputs[0]) != i;
               last = i;
               *begin(a.outputs[0]) = i + 1;
               --inside;
             },
             {.nanoseconds = estimate});
  CHECK(x.item<double>() == 2'000);
  CHECK(wrong == 0);
}

TEST_CASE("other work continues beside a long task") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  gate g;
  const auto slow = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  tensor x = filled(rt.engine(), {3}, 0);
  for (int i = 0; i < 500; ++i) x = plus(rt.engine(), x, x, {.nanoseconds = 30'000});
  CHECK(x.wait_for(std::chrono::seconds(30)));
  CHECK_FALSE(slow.ready());
}

TEST_CASE("work behind an operation that takes far longer than estimated moves to an idle lane") {
  const auto lanes = GENERATE(2, 4);
  runtime rt({.lanes = lanes, .cpu_devices = 1});
  gate slow, quick;
  const auto first = gated(rt.engine(), slow);
  std::vector<tensor> others;
  for (int i = 1; i < lanes; ++i) others.push_back(gated(rt.engine(), quick));
  REQUIRE(slow.await_inside(1));
  REQUIRE(quick.await_inside(lanes - 1));
  std::vector<tensor> behind;  // some on each lane
  for (int i = 0; i < 50; ++i)
    behind.push_back(increment(rt.engine(), filled(rt.engine(), {3}, i), 20'000));
  quick.open();
  for (int i = 0; i < 50; ++i) {
    REQUIRE(behind[static_cast<std::size_t>(i)].wait_for(std::chrono::seconds(30)));
    CHECK(behind[static_cast<std::size_t>(i)].to_vector<double>() == std::vector<double>(3, i + 1));
  }
  CHECK_FALSE(first.ready());
}

TEST_CASE(
    "of waiting tasks, those of a higher priority go first, whichever thread they come from") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto first = gated(rt.engine(), g, {}, {.nanoseconds = 1e9f});
  REQUIRE(g.await_inside(1));
  std::mutex mutex;
  std::vector<int> order;
  const auto note = [&](int number) {
    return call(rt.engine(), {}, {},
                [&, number](const kernel_args& a, auto, auto) {
                  const std::lock_guard lock(mutex);
                  order.push_back(number);
                  *begin(a.outputs[0]) = number;
                },
                {.nanoseconds = 1e8f});
  };
  std::vector<tensor> all{note(0)};
  {
    const with_priority high(10);
    all.push_back(note(10));
    {
      const with_priority low(-1);
      all.push_back(note(-1));
    }
    all.push_back(note(11));
  }
  std::jthread([&] {
    CHECK(with_priority::current() == 0);
    const with_priority highest(127);
    all.push_back(note(127));
  }).join();
  all.push_back(note(1));
  while (rt.tasks().size() < 7) {}
  g.open();
  for (const auto& x : all) x.wait();
  CHECK(order == std::vector{127, 10, 11, 0, 1, -1});
}

TEST_CASE("a priority out of range is refused in one line") {
  CHECK_THROWS_WITH(with_priority(128),
                    Catch::StartsWith("with_priority: 128 is not from -128 to 127"));
  CHECK_THROWS_AS(with_priority(-129), error);
  CHECK(with_priority::current() == 0);
}

TEST_CASE("idle lanes help with a large task: its chunks run at the same time") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  gate g;
  const auto x = call(rt.engine(), {}, {4},
                      [way = g.through()](const kernel_args& a, auto first, auto last) {
                        for (auto i = first; i < last; ++i) {
                          way.pass();
                          begin(a.outputs[0])[i] = static_cast<double>(i);
                        }
                      },
                      {.nanoseconds = 1e8, .chunks = 4});
  CHECK(g.await_inside(4));
  g.open();
  CHECK(x.to_vector<double>() == std::vector<double>{0, 1, 2, 3});
  CHECK(g.entered() == 4);
}

TEST_CASE("a lane that came to help before a task had started comes again") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  gate before, inside;
  const auto x = gated(rt.engine(), before, {}, {.nanoseconds = 3e6});
  REQUIRE(before.await_inside(1));
  const auto handled = [&rt] {
    const auto all = rt.actors();
    return std::ranges::find(all, "dependency cpu:0", &actor_state::name)->handled;
  };
  const auto until_now = handled();
  const auto y = call(rt.engine(), {x}, {2},
                      [way = inside.through()](const kernel_args& a, auto first, auto last) {
                        way.pass();
                        for (auto i = first; i < last; ++i) begin(a.outputs[0])[i] = 7;
                      },
                      {.nanoseconds = 1e8, .chunks = 2});
  REQUIRE(
      comes_true([&] { return handled() >= until_now + 2; }));  // y, and that the helper has left
  before.open();
  CHECK(inside.await_inside(2));
  inside.open();
  CHECK(y.to_vector<double>() == std::vector<double>{7, 7});
}

TEST_CASE(
    "shared large tasks give the same results as on one lane, and their followers see the whole "
    "results") {
  const auto lanes = GENERATE(1, 2, 8);
  runtime rt({.lanes = lanes, .cpu_devices = 1});
  constexpr std::int64_t n = 4'096, chunks = 16;
  tensor x = filled(rt.engine(), {n}, 1);
  for (int i = 0; i < 200; ++i) {
    x = call(rt.engine(), {x}, {n},
             [](const kernel_args& a, auto first, auto last) {
               for (auto k = first * (n / chunks); k < last * (n / chunks); ++k)
                 begin(a.outputs[0])[k] = begin(a.inputs[0])[n - 1 - k] + 1;
             },
             {.nanoseconds = 60'000, .chunks = chunks});
    x = plus(rt.engine(), x, x, {.nanoseconds = 500});
    x = call(rt.engine(), {x}, {n}, [](const kernel_args& a, auto, auto) {
      for (std::int64_t k = 0; k < n; ++k) begin(a.outputs[0])[k] = begin(a.inputs[0])[k] / 2;
    });
  }
  for (auto v : x.to_vector<double>()) REQUIRE(v == 201);
}

TEST_CASE("a shareable task without chunks ends") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  const auto x = call(rt.engine(), {}, {0}, [](const kernel_args&, auto, auto) {},
                      {.nanoseconds = 1e6, .chunks = 0});
  CHECK(x.wait_for(std::chrono::seconds(10)));
}
