// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/actors/counting_program.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE(
    "cancel_all fails tasks that have not started; running tasks finish, and later work runs") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  gate g;
  const auto running = gated(e, g), also_running = gated(e, g);
  REQUIRE(g.await_inside(2));
  const auto queued = gated(e, g), after = increment(e, running), copied = to(after, cpu(1)),
             last = increment(e, copied);
  rt.cancel_all();
  const auto later = increment(e, running);
  CHECK_THROWS_AS(copied.wait(), cancelled_error);
  CHECK_THROWS_AS(last.wait(), cancelled_error);
  CHECK_THROWS_AS(queued.wait(), cancelled_error);  // already on a lane, behind the running task
  CHECK_FALSE(running.ready());
  g.open();
  CHECK_THROWS_AS(after.wait(), cancelled_error);
  CHECK(running.item<double>() == 1);
  CHECK(also_running.item<double>() == 1);
  CHECK(later.item<double>() == 2);
  CHECK(g.entered() == 2);
  CHECK_NOTHROW(rt.wait_all());
}

TEST_CASE("the error of a cancelled task says so and names its line") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto running = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  const auto line = std::to_string(__LINE__ + 1);
  const auto queued = increment(rt.engine(), running);
  rt.cancel_all();
  g.open();
  CHECK(error_of(queued) ==
        "in_place: cancelled; inputs float64[] on cpu:0 (cancel_test.cpp:" + line + ")");
}

TEST_CASE("work submitted after cancel_all is never cancelled by it") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  for (int round = 0; round < 500; ++round) {
    for (int i = 0; i < round % 50; ++i) filled(e, {100}, i);
    rt.cancel_all();
    REQUIRE(increment(e, filled(e, {}, round)).item<double>() == round + 1);
  }
}

namespace {

void was_cancelled(const tensor& x) { REQUIRE_THROWS_AS(x.wait(), cancelled_error); }

}  // namespace

TEST_CASE("a program cancelled at any time settles every value, and ready values are right") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    runtime rt({.lanes = 1 + static_cast<int>(random() % 4), .cpu_devices = 2});
    counting_program program(rt.engine(), random);
    const auto count = random() % 600, moment = random() % 600;
    for (unsigned i = 0; i < count; ++i) {
      if (i == moment) rt.cancel_all();
      program.go_on();
    }
    rt.wait_all();
    program.check_settled(was_cancelled);
  }
}

namespace {

/// Returns an object for an operation to capture; its end takes until a gate is opened.
std::shared_ptr<void> slow_to_end(const gate& g) {
  return {nullptr, [way = g.through()](void*) { way.pass(); }};
}

}  // namespace

TEST_CASE("what an operation captured may be slow to end: that holds up one lane, nobody else") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto x =
      call(e, {}, {},
           [held = slow_to_end(g)](const kernel_args& a, auto, auto) { *begin(a.outputs[0]) = 1; },
           {.nanoseconds = 1e6});
  REQUIRE(g.await_inside(1));
  CHECK(x.item<double>() == 1);
  CHECK(increment(e, filled(e, {}, 1)).wait_for(std::chrono::seconds(30)));
  g.open();
  rt.wait_all();
}

TEST_CASE("what a cancelled operation captured is destroyed on a lane, too") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  auto& e = rt.engine();
  gate running, end;
  const auto first = gated(e, running);
  REQUIRE(running.await_inside(1));
  auto x = call(e, {first}, {}, [held = slow_to_end(end)](const kernel_args&, auto, auto) {},
                {.nanoseconds = 1e6});
  for (int i = 0; i < 3; ++i) x = gated(e, running, {x});
  rt.cancel_all();
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  running.open();
  REQUIRE(end.await_inside(1));
  CHECK(increment(e, filled(e, {}, 1)).wait_for(std::chrono::seconds(30)));
  end.open();
  CHECK(first.item<double>() == 1);
  rt.wait_all();
}

TEST_CASE("cancel fails one value and the work before it that nothing else needs") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  gate g;
  const auto running = gated(e, g), also_running = gated(e, g);
  REQUIRE(g.await_inside(2));
  const auto kept = increment(e, running);
  const auto shared = plus(e, kept, also_running);
  int ran = 0;
  const auto counting = [&](const std::vector<tensor>& in) {
    return call(e, in, {}, [&](const kernel_args&, auto, auto) { ++ran; });
  };
  auto only = counting({running, also_running});
  only = counting({only});
  const auto x = plus(e, only, shared), reader = increment(e, x), other = increment(e, shared);
  only = {};
  cancel(x);
  CHECK(x.failed());
  CHECK_FALSE(shared.failed());
  g.open();
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  CHECK_THROWS_AS(reader.wait(), cancelled_error);
  CHECK(other.item<double>() == 4);
  CHECK(kept.item<double>() == 2);
  CHECK_NOTHROW(rt.wait_all());
  CHECK(ran == 0);
}

TEST_CASE("cancel reaches tasks that a lane has and has not started") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto running = gated(e, g, {}, {.nanoseconds = 10});
  REQUIRE(g.await_inside(1));
  std::atomic<int> ran = 0;
  const auto counting = [&](const tensor& in) {
    return call(e, {in}, {},
                [&](const kernel_args& a, auto, auto) {
                  ++ran;
                  *begin(a.outputs[0]) = *begin(a.inputs[0]);
                },
                {.nanoseconds = 10});
  };
  auto x = counting(running);
  for (int i = 0; i < 20; ++i) x = counting(x);
  const auto kept = counting(running), behind = counting(x);
  cancel(x);
  g.open();
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  CHECK_THROWS_AS(behind.wait(), cancelled_error);
  CHECK(kept.item<double>() == 1);
  CHECK_NOTHROW(rt.wait_all());
  CHECK(ran == 1);
}

TEST_CASE("cancel follows copies between devices") {
  runtime rt({.lanes = 1, .cpu_devices = 3});
  auto& e = rt.engine();
  gate g;
  const auto first = gated(e, g), second = gated(e, g, {}, {.nanoseconds = 1e6, .device = cpu(1)});
  REQUIRE(g.await_inside(2));
  std::atomic<int> ran = 0;
  const auto both = [&](const tensor& a, const tensor& b) {
    return call(e, {a, b}, {}, [&](const kernel_args&, auto, auto) { ++ran; });
  };
  auto x = both(to(both(first, to(second, cpu(0))), cpu(1)), second);
  x = to(both(to(x, cpu(2)), to(first, cpu(2))), cpu(0));
  const auto other = increment(e, to(first, cpu(1)));
  cancel(x);
  // Four tasks are left: both gated ones, a copy of the first, and `other`. Each list is asked for
  // behind what the actors have told each other, so a few of them follow the whole chain.
  for (int i = 0; i < 20 && e.tasks().size() > 4; ++i) {}
  CHECK(e.tasks().size() == 4);
  g.open();
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  CHECK(other.item<double>() == 2);
  CHECK(second.item<double>() == 1);
  CHECK_NOTHROW(rt.wait_all());
  CHECK(ran == 0);
}

TEST_CASE("cancelling what runs, what is done, what failed or what is cancelled changes nothing") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  const auto done = filled(e, {3}, 2).wait();
  const auto wrong = failing(e, "on purpose");
  CHECK_THROWS_AS(wrong.wait(), task_error);
  gate g;
  const auto running = gated(e, g);
  REQUIRE(g.await_inside(1));
  const auto queued = increment(e, running);
  cancel(done);
  cancel(wrong);
  cancel(running);
  cancel(queued);
  cancel(queued);
  g.open();
  CHECK(running.item<double>() == 1);
  CHECK(done.to_vector<double>()[2] == 2);
  CHECK_THAT(error_of(wrong), Catch::Contains("on purpose"));
  CHECK_THROWS_AS(queued.wait(), cancelled_error);
}

TEST_CASE("cancel refuses what names no array, or belongs to a runtime that has ended") {
  CHECK_THROWS_WITH(cancel(tensor()),
                    Catch::Contains("cancel: the tensor names no array yet (cancel_test.cpp:"));
  value_ref of_none(new value({{}, float64, {}}));
  CHECK_THROWS_WITH(cancel(tensor(of_none)),
                    Catch::Contains("cancel: the runtime that this tensor belongs to has ended ("));
  tensor done;
  {
    runtime rt({.lanes = 1, .cpu_devices = 1});
    done = filled(rt.engine(), {}, 2).wait();
  }
  CHECK_NOTHROW(cancel(done));
}

TEST_CASE("cancel finds nothing pending in a synchronous runtime") {
  runtime rt({.synchronous = true});
  const auto x = filled(rt.engine(), {}, 2);
  cancel(x);
  CHECK(x.item<double>() == 2);
}

TEST_CASE("cancelling one of several results of a task cancels all of them") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto running = gated(e, g);
  REQUIRE(g.await_inside(1));
  const auto two = call_two(e, {running}, {}, [](const kernel_args&, auto, auto) {});
  cancel(two[1]);
  g.open();
  CHECK_THROWS_AS(two[0].wait(), cancelled_error);
  CHECK_THROWS_AS(two[1].wait(), cancelled_error);
}

TEST_CASE("values cancelled at any time settle, and so does all else; ready values are right") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    runtime rt({.lanes = 1 + static_cast<int>(random() % 4), .cpu_devices = 2});
    counting_program program(rt.engine(), random);
    const auto count = random() % 600;
    for (unsigned i = 0; i < count; ++i) {
      program.go_on();
      if (random() % 3 == 0) program.any() = program.latest();  // only its readers need it now
      if (random() % 30 == 0) cancel(program.any().first);
    }
    rt.wait_all();
    program.check_settled(was_cancelled);
  }
}
