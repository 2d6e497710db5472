// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <random>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/actors/stepped_engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/actors/counting_program.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;
using Catch::Contains;

TEST_CASE("a value that is not computed in time fails with its line; its task goes on") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto x = gated(e, g);
  REQUIRE(g.await_inside(1));
  const auto line = std::to_string(__LINE__ + 1);
  const auto timed = x.within(5ms);
  const auto reader = increment(e, timed);
  CHECK(error_of(timed) ==
        "within: not computed after 5 ms; inputs float64[] on cpu:0 (deadline_test.cpp:" + line +
            ")");
  CHECK(timed.failed());
  CHECK(x.failed() == false);
  CHECK(error_of(reader) == error_of(timed));  // although the lane has no time for it
  g.open();
  CHECK(x.item<double>() == 1);
}

TEST_CASE("tasks that missed their deadline, or were cancelled, no longer count as pending") {
  runtime rt({.lanes = 2, .cpu_devices = 1, .max_pending = 100});
  auto& e = rt.engine();
  gate g;
  const auto x = gated(e, g, {}, {.nanoseconds = 1e9});
  REQUIRE(g.await_inside(1));
  for (int i = 0; i < 300; ++i) CHECK_THROWS_AS(x.within(1us).wait(), task_error);
  for (int i = 0; i < 300; ++i) {
    const auto y = increment(e, x);
    cancel(y);
    CHECK_THROWS_AS(y.wait(), task_error);
  }
  std::vector<tensor> timed;
  for (int i = 0; i < 90; ++i) timed.push_back(x.within(20ms));
  for (const auto& one : timed) CHECK_THROWS_AS(one.wait(), task_error);
  const auto patience = std::chrono::steady_clock::now() + 30s;
  while (rt.pending() > 1 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  CHECK(rt.pending() == 1);
  CHECK(rt.tasks().size() == 1);
  const auto after = increment(e, x);
  g.open();
  CHECK(after.item<double>() == 2);
}

TEST_CASE("a missed deadline is seen without anybody waiting") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  gate g;
  const auto x = gated(e, g);
  REQUIRE(g.await_inside(1));
  const auto timed = x.within(2ms), copied = to(timed, cpu(1)), far = x.within(24h);
  const auto patience = std::chrono::steady_clock::now() + 30s;
  while (!copied.failed() && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  CHECK(timed.failed());
  CHECK(copied.failed());
  CHECK_FALSE(far.failed());
  g.open();
  CHECK_THROWS_WITH(rt.wait_all(), Contains("within: not computed after 2 ms"));
  CHECK(far.item<double>() == 1);
}

TEST_CASE("a deadline is seen whichever thread noted it, and wherever the others sleep") {
  for (int round = 0; round < 50; ++round) {  // while a runtime's threads start, all look for work
    runtime rt({.lanes = 1 + round % 8, .cpu_devices = 2});
    gate g;
    const auto x = gated(rt.engine(), g);
    REQUIRE(g.await_inside(1));
    const auto timed = x.within(1ms);
    CHECK_THAT(error_of(timed), Contains("within: not computed after 1 ms"));
    g.open();
  }
}

TEST_CASE("a value that is computed in time is the same array, without a copy") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  gate g;
  const auto start = gated(e, g);
  auto x = call(e, {start}, {2, 500}, [](const kernel_args& a, auto, auto) {
    std::fill(begin(a.outputs[0]), end(a.outputs[0]), 3);
  });
  const auto timed = x.within(1h).within(std::chrono::nanoseconds::max());
  const auto row = x.T().within(1h);
  CHECK(row.shape() == shape{500, 2});
  const auto small = start.within(1h), elsewhere = to(timed, cpu(1)).within(1h);
  g.open();
  timed.wait();
  CHECK(timed.source()->data() == x.source()->data());
  const auto elements = std::vector<double>(1000, 3);
  const auto bytes = rt.memory(cpu(0)).live;
  x = increment(e, x).wait();  // finds its memory in use
  CHECK(rt.memory(cpu(0)).live > bytes);
  CHECK(timed.to_vector<double>() == elements);
  CHECK(row.to_vector<double>() == elements);
  CHECK(elsewhere.to_vector<double>() == elements);
  CHECK(small.item<double>() == 1);
  CHECK(x.within(1ns).source() == x.source());
}

TEST_CASE("a deadline passes on failures and cancellations, and can be cancelled itself") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto running = gated(e, g);
  REQUIRE(g.await_inside(1));
  std::atomic<bool> ran = false;
  const auto wrong = failing(e, "on purpose", {running}).within(1h);
  const auto timed =
      call(e, {running}, {}, [&](const kernel_args&, auto, auto) { ran = true; }).within(1h);
  const auto queued = increment(e, running), late = queued.within(1h);
  cancel(timed);
  CHECK(timed.failed());
  cancel(queued);
  g.open();
  CHECK_THAT(error_of(wrong), Contains("on purpose"));
  CHECK_THROWS_AS(timed.wait(), cancelled_error);
  CHECK_THROWS_AS(late.wait(), cancelled_error);
  CHECK_NOTHROW(rt.wait_all());
  CHECK_FALSE(ran);
  gate h;
  const auto held = gated(e, h);
  REQUIRE(h.await_inside(1));
  const auto all = held.within(1h);
  rt.cancel_all();
  CHECK_THROWS_AS(all.wait(), cancelled_error);
  h.open();
}

TEST_CASE("a deadline must be later than now, of an array of a runtime") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const auto x = filled(rt.engine(), {}, 2).wait();
  CHECK_THROWS_WITH(x.within(0s),
                    Contains("within: the time must be positive, not 0 ns (deadline_test.cpp:"));
  CHECK_THROWS_WITH(x.within(-1500us),
                    Contains("within: the time must be positive, not -1.5 ms (deadline_test.cpp:"));
  CHECK_THROWS_WITH(tensor().within(1s), Contains("within: the tensor names no array yet"));
  CHECK_THROWS_WITH(tensor(value_ref(new value({{}, float64, {}}))).within(1s),
                    Contains("within: the runtime that this tensor belongs to has ended"));
}

TEST_CASE("a synchronous runtime meets every deadline") {
  runtime rt({.synchronous = true});
  const auto x = filled(rt.engine(), {}, 2);
  CHECK(x.within(1ns).item<double>() == 2);
  CHECK(compile([](const tensor& t) { return t.within(1ns) * 2; })(x).item<double>() == 4);
}

TEST_CASE("deadlines hold in functions of the elements of a batch") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const auto x = filled(rt.engine(), {3}, 2), other = filled(rt.engine(), {}, 5);
  const auto f = vmap([&](const tensor& t) { return t.within(1h) * other.within(1h); });
  CHECK(f(x).to_vector() == std::vector<double>{10, 10, 10});
  gate g;
  const auto late = gated(rt.engine(), g);
  const auto sums = vmap([&](const tensor&) { return late.within(1ms); })(x);
  CHECK_THROWS_WITH(sums.wait(), Contains("not computed after 1 ms"));
  g.open();
}

TEST_CASE("gradients flow through a deadline") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto start = gated(rt.engine(), g);
  tensor x = copy(start);
  x.attach_grad();
  const recording on;
  const auto y = x.within(1h) * 3;
  g.open();
  y.backward();
  CHECK(x.grad().item<double>() == 3);
}

TEST_CASE("an engine in slow motion fails values at their deadlines, too") {
  stepped_engine e(1);
  const use_engine here(e);
  const auto x = filled(e, {}, 1);
  const auto timed = x.within(1ns);
  std::vector<std::string> to_deadlines;
  while (const auto one = e.step()) {
    if (one->to == "dependency deadlines") to_deadlines.push_back(one->message);
  }
  CHECK(x.ready());
  CHECK((timed.ready() || timed.failed()));
  CHECK(to_deadlines.front() == "order_tasks: within #2");
}

TEST_CASE("random programs with deadlines settle every value; those in time are right") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    runtime rt({.lanes = 1 + static_cast<int>(random() % 4), .cpu_devices = 2});
    counting_program program(rt.engine(), random);
    const auto count = random() % 600;
    for (unsigned i = 0; i < count; ++i) {
      const auto what = random() % 20;
      const auto [x, number] = program.latest();
      if (what == 1) program.add(x.within(std::chrono::microseconds(1 + random() % 400)), number);
      else if (what == 2) program.add(x.within(1h), number);
      else program.go_on();
      if (random() % 60 == 0) cancel(program.any().first);
    }
    try {
      rt.wait_all();
    } catch (const task_error&) {}
    program.check_settled([](const tensor& x) { REQUIRE_THROWS_AS(x.wait(), task_error); });
  }
}

TEST_CASE("a deadline within a compiled function counts from each call") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  const auto f = compile([](const tensor& t) { return t.within(1s) * 2; });
  {
    gate g;
    const auto x = gated(e, g);
    CHECK_THAT(error_of(f(x)), Contains("not computed after 1 s"));  // that is over now
    g.open();
    x.wait();
  }
  gate g;
  const auto y = f(gated(e, g));
  g.open();
  CHECK(y.item<double>() == 2);
}

TEST_CASE("any number of deadlines one behind the other ends") {
  runtime rt({.lanes = 1, .cpu_devices = 1, .max_pending = 1 << 20});
  auto& e = rt.engine();
  gate g;
  auto x = increment(e, filled(e, {100}, 1));
  x.wait();
  auto y = increment(e, x + gated(e, g));
  for (int i = 0; i < 300'000; ++i) y = y.within(1h);
  g.open();
  CHECK(y.wait_for(60s));
  y = tensor();
  CHECK((x + 1).to_vector<double>()[99] == 3);
}
