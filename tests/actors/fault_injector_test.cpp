// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/actors/test_operations.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;
using Catch::StartsWith;

namespace {

using clock_type = std::chrono::steady_clock;

}  // namespace

TEST_CASE("an injected failure fails the operation's outputs and their readers, nothing else") {
  const bool synchronous = GENERATE(false, true);
  CAPTURE(synchronous);
  runtime rt({.lanes = 2, .cpu_devices = 2, .synchronous = synchronous});
  const tensor x = ones({2, 3}), y = ones({3, 2});
  rt.inject_faults({.failing = {"matmul", "tanh"}});
  const auto line = std::to_string(__LINE__ + 1);
  const auto product = matmul(x, y);
  const auto reader = to(product + 1, cpu(1)), beside = exp(x - 1), other = tanh(x);
  CHECK(error_of(product) ==
        "matmul: failed on purpose; inputs float32[2,3], float32[3,2] on cpu:0 "
        "(fault_injector_test.cpp:" +
            line + ")");
  CHECK(error_of(reader) == error_of(product));
  CHECK_THAT(error_of(other), StartsWith("tanh: failed on purpose; inputs float32[2,3] on cpu:0"));
  CHECK(beside.to_vector<float>() == std::vector<float>(6, 1));
  CHECK_NOTHROW(rt.wait_all());  // both have been read
}

TEST_CASE("a fault_plan applies to tasks submitted from then on, until it is ended") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  gate g;
  const auto running = gated(e, g);
  REQUIRE(g.await_inside(1));
  const auto before = increment(e, running);
  rt.inject_faults({.failing = {"in_place"}});
  const auto during = increment(e, running);
  rt.inject_faults({});
  const auto after = increment(e, running);
  g.open();
  CHECK(before.item<double>() == 2);
  CHECK_THAT(error_of(during), StartsWith("in_place: failed on purpose"));
  CHECK(after.item<double>() == 2);
}

TEST_CASE("faults can be injected into copies to another device, too") {
  const bool synchronous = GENERATE(false, true);
  runtime rt({.lanes = 1, .cpu_devices = 2, .synchronous = synchronous});
  const tensor x = ones({2});
  rt.inject_faults({.failing = {"to"}});
  const auto copied = to(x, cpu(1));
  CHECK_THAT(error_of(copied), StartsWith("to: failed on purpose; inputs float32[2]"));
  rt.inject_faults({.delay = 5ms, .delayed = "to"});
  const auto start = clock_type::now();
  to(x, cpu(1)).wait();
  CHECK(clock_type::now() - start >= 5ms);
}

TEST_CASE("only the named operation is delayed; without a name, every operation is") {
  const bool synchronous = GENERATE(false, true);
  runtime rt({.lanes = 1, .cpu_devices = 1, .synchronous = synchronous});
  const tensor x = ones({2}).wait();
  const auto time = [](auto&& run) {
    const auto start = clock_type::now();
    run();
    return clock_type::now() - start;
  };
  rt.inject_faults({.delay = 10ms, .delayed = "exp"});
  CHECK(time([&] { exp(exp(x)).wait(); }) >= 20ms);
  rt.inject_faults({.delay = 1h, .delayed = "exp"});
  tanh(x).wait();  // otherwise the test takes an hour
  rt.inject_faults({.delay = 10ms});
  CHECK(time([&] { tanh(x).wait(); }) >= 10ms);
  rt.inject_faults({});
  CHECK(exp(x - 1).to_vector<float>() == std::vector<float>{1, 1});
}

TEST_CASE("independent late tasks are delayed side by side, each on its own lane") {
  runtime rt({.lanes = 2, .cpu_devices = 1});
  rt.inject_faults({.delay = 20ms});
  const tensor a = zeros({2}), b = ones({2});
  rt.wait_all();
  const auto log = rt.trace();
  REQUIRE(log.events.size() == 2);
  CHECK(log.events[0].lane != log.events[1].lane);
}

TEST_CASE("a large task is delayed once, and its result is right") {
  runtime rt({.lanes = 4, .cpu_devices = 1});
  rt.inject_faults({.delay = 3ms});
  const tensor x = ones({4'000'000});
  const auto y = x + 1;
  CHECK(y.to_vector<float>()[3'999'999] == 2);
  const auto log = rt.trace();
  REQUIRE(log.events.size() == 2);
  double late = 0;
  for (const auto& one : log.events) late += seconds_between(one.started, one.ended);
  CHECK(late >= 6e-3);
}

TEST_CASE(
    "a late task can be cancelled during its delay; readers of a failed one are not delayed") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  rt.inject_faults({.delay = 1h});
  const tensor x = ones({2});
  while (rt.tasks().empty() || rt.tasks()[0].state != task_state::status::running)
    std::this_thread::yield();
  const auto reader = exp(x);
  rt.cancel_all();
  CHECK_THROWS_AS(x.wait(), cancelled_error);
  CHECK_THROWS_AS(reader.wait(), cancelled_error);
  rt.inject_faults({.failing = {"tanh"}});
  const tensor bad = tanh(ones({2}));
  rt.inject_faults({.delay = 1h, .delayed = "exp"});
  CHECK_THAT(error_of(exp(bad)), StartsWith("tanh: failed on purpose"));
}

TEST_CASE("the trace has the delay of a late task that fails, before the next one starts") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const tensor x = ones({2});
  rt.wait_all();
  rt.inject_faults({.delay = 5ms, .failing = {"exp"}});
  const auto bad = exp(x);
  const auto good = tanh(x);
  CHECK_THROWS(bad.wait());
  good.wait();
  const auto log = rt.trace();
  const auto of = [&](std::string_view name) {
    return *std::ranges::find(log.events, name, &task_event::name);
  };
  CHECK(of("exp").failed);
  CHECK(seconds_between(of("exp").started, of("exp").ended) >= 5e-3);
  REQUIRE(of("tanh").lane == of("exp").lane);
  CHECK(of("tanh").started >= of("exp").ended);
  CHECK(seconds_between(of("tanh").started, of("tanh").ended) >= 5e-3);
}

TEST_CASE("a program with injected failures ends cleanly and returns all memory") {
  std::shared_ptr<memory> home;
  std::vector<tensor> kept;
  {
    runtime rt({.lanes = 2, .cpu_devices = 1});
    home = rt.devices()[0]->memory();
    for (int i = 0; i < 300; ++i) {
      rt.inject_faults(i % 3 ? fault_plan{} : fault_plan{.failing = {"exp"}});
      tensor x = ones({1'000}) * 2;
      kept.push_back(exp(x) + x);
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(kept[i].failed() == (i % 3 == 0));
  kept.clear();
  CHECK(home->live() == 0);
}
