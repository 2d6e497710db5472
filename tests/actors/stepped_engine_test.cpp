// SPDX-License-Identifier: MIT
#include "troupe/actors/stepped_engine.hpp"

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
using Catch::Contains;
using Catch::StartsWith;

using lines = std::vector<std::string>;

template <>
struct Catch::StringMaker<delivery> {
  static std::string convert(const delivery& d) {
    return d.from + " -> " + d.to + ": " + d.message;
  }
};

namespace {

/// Returns "frontend -> dependency cpu:0: order_tasks: exp #1" for each message until there is
/// none.
lines all_steps(stepped_engine& e) {
  lines all;
  while (const auto d = e.step()) all.push_back(Catch::StringMaker<delivery>::convert(*d));
  return all;
}

/// Returns lines such as "exp #1 waiting".
lines states(stepped_engine& e) {
  lines all;
  for (const auto& s : e.tasks())
    all.push_back(std::string(s.name) + " #" + std::to_string(s.sequence) + " " +
                  std::string(to_string(s.state)));
  return all;
}

}  // namespace

TEST_CASE("messages are delivered one at a time, with sender and receiver") {
  stepped_engine e(1);
  const use_engine chosen(e);
  const tensor x = ones({2, 2}).wait();
  REQUIRE_FALSE(all_steps(e).empty());
  CHECK_FALSE(e.step());
  const auto y = exp(matmul(x, x));
  CHECK(e.step() == delivery{"client", "frontend", "tasks_submitted"});
  CHECK(e.step() == delivery{"frontend", "dependency cpu:0", "order_tasks: matmul #2, exp #3"});
  CHECK(e.step() == delivery{"dependency cpu:0", "cpu:0 lane 0", "run_tasks: matmul #2, exp #3"});
  CHECK(y.ready());
  CHECK(e.step() == delivery{"cpu:0 lane 0", "dependency cpu:0", "tasks_done: matmul #2, exp #3"});
  CHECK(e.pending() == 2);
  CHECK(e.step() == delivery{"dependency cpu:0", "frontend", "progress: 2 ended"});
  CHECK(e.pending() == 0);
  CHECK_FALSE(e.step());
}

TEST_CASE("between steps nothing runs, and the tasks list their state") {
  stepped_engine e(1);
  const use_engine chosen(e);
  const tensor x = zeros({3});
  e.wait_all();
  const auto y = exp(x), z = y + 1;
  const lines waiting{"exp #2 waiting", "add #3 waiting"};
  CHECK(states(e) == waiting);
  CHECK(e.tasks()[1].waits_for == std::vector<std::uint64_t>{2});
  CHECK(e.tasks()[1].outputs == std::vector<tensor_type>{{{3}, float32, cpu()}});
  e.step();
  CHECK(states(e) == waiting);  // still in the mailbox
  e.step();
  CHECK(states(e) == lines{"exp #2 sent", "add #3 sent"});
  CHECK_FALSE(y.ready());
  e.step();
  CHECK(y.ready());
  CHECK(states(e).empty());
  CHECK(e.actors()[1].waiting == 1);
}

TEST_CASE("a long list of tasks is shortened") {
  stepped_engine e(1);
  const use_engine chosen(e);
  tensor x = zeros({1}).wait();
  e.wait_all();
  for (int i = 0; i < 10; ++i) x = exp(x);
  e.step();
  CHECK(e.step()->message ==
        "order_tasks: exp #2, exp #3, exp #4, exp #5, exp #6, exp #7 and 4 more");
}

TEST_CASE("values that travel between devices are named, and failures shown") {
  stepped_engine e(1, 2);
  const use_engine chosen(e);
  const tensor x = zeros({1}).wait();
  e.wait_all();
  e.inject_faults({.failing = {"exp"}});
  const auto y = to(exp(x), cpu(1));
  const auto all = all_steps(e);
  const auto said = [&](const std::string& line) {
    return std::ranges::find(all, line) != all.end();
  };
  CAPTURE(all);
  CHECK(said("dependency copies -> dependency cpu:0: watch: exp #2"));
  CHECK(said("dependency cpu:0 -> dependency copies: value_resolved: exp #2 failed"));
  CHECK(said("cpu:0 lane 0 -> dependency cpu:0: tasks_done: exp #2 failed"));
  CHECK(said("dependency cpu:0 -> frontend: progress: 1 ended, 1 failed"));
  CHECK_FALSE(said("dependency copies -> copy to cpu:1: run_tasks: to #3"));
  CHECK(said("dependency copies -> frontend: progress: 1 ended"));
  CHECK_THROWS_WITH(y.wait(), StartsWith("exp: failed on purpose"));
}

TEST_CASE("waiting for a value steps until it is ready, and no further") {
  stepped_engine e(1);
  const use_engine chosen(e);
  const tensor x = zeros({2});
  CHECK(exp(x).to_vector<float>() == std::vector<float>{1, 1});
  CHECK(e.pending() > 0);
  e.wait_all();
  CHECK(e.pending() == 0);
  const auto y = exp(x);
  CHECK_FALSE(y.wait_for(std::chrono::seconds(0)));
  CHECK(y.wait_for(std::chrono::seconds(60)));
}

TEST_CASE("wait_all steps until no message is left and throws the first failure") {
  stepped_engine e;
  const auto x = failing(e, "on purpose"), y = filled(e, {}, 2);
  CHECK_THROWS_WITH(e.wait_all(), StartsWith("body: on purpose"));
  CHECK(y.ready());
  CHECK_FALSE(e.step());
  CHECK_NOTHROW(e.wait_all());
}

TEST_CASE("tasks that have not started can be cancelled between two steps; later work runs") {
  stepped_engine e(1);
  const auto x = filled(e, {}, 1), y = increment(e, x);
  e.step();
  e.cancel_all();
  const auto later = filled(e, {}, 3);
  CHECK_THROWS_AS(y.wait(), cancelled_error);
  CHECK(later.item<double>() == 3);
}

TEST_CASE("large tasks are shared by the lanes step by step, with the same result") {
  stepped_engine e(4);
  const use_engine chosen(e);
  const tensor x = ones({1'000'000});
  CHECK((exp(x - 1) + x).to_vector<float>() == std::vector<float>(1'000'000, 2));
  e.wait_all();
  CHECK(e.tasks().empty());
  CHECK(e.trace(0).events.size() >= 4);
}

TEST_CASE("tasks without memory continue when a client releases some") {
  stepped_engine e(1, 1, std::size_t{1} << 20);
  auto x = filled(e, {100'000}, 1);
  e.wait_all();
  const auto slow = filled(e, {100}, 0), y = filled(e, {100'000}, 2);
  x = tensor();
  CHECK(y.to_vector<double>()[0] == 2);
}

TEST_CASE("a stepped engine does not affect a runtime beside it, nor does its end") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto running = gated(rt.engine(), g);
  REQUIRE(g.await_inside(1));
  tensor left;
  {
    stepped_engine e(2, 2);
    CHECK(engine::of(*ones({1}).source(), "test", caller::current()).id() == rt.engine().id());
    const use_engine chosen(e);
    const tensor x = ones({4});
    CHECK(engine::of(*x.source(), "test", caller::current()).id() == e.id());
    std::uint32_t elsewhere = 0;
    std::thread([&] { elsewhere = ones({1}).source()->engine; }).join();
    CHECK(elsewhere == rt.engine().id());
    CHECK(to(x + 1, cpu(1)).to_vector<float>() == std::vector<float>(4, 2));
    left = x * 3;
  }
  CHECK(left.to_vector<float>() == std::vector<float>(4, 3));
  CHECK(ones({1}).source()->engine == rt.engine().id());
  CHECK_FALSE(running.ready());
  g.open();
  CHECK(increment(rt.engine(), running).item<double>() == 2);
}

TEST_CASE("a stepped engine is current only where it was chosen") {
  stepped_engine e;
  CHECK_THROWS_WITH(ones({1}), Contains("no runtime is running"));
}

TEST_CASE("a stepped engine ends cleanly after any number of steps") {
  std::vector<tensor> all;
  std::shared_ptr<memory> home;
  for (int steps = 0; steps < 40; ++steps) {
    stepped_engine e(2, 2);
    home = e.devices()[0]->memory();
    tensor x = filled(e, {100}, 0);
    for (int i = 0; i < 20; ++i) {
      x = increment(e, x, i % 3 ? 0.f : 1e6f);
      if (i % 4 == 0) all.push_back(to(x, cpu(1)));
    }
    for (int i = 0; i < steps; ++i) e.step();
  }
  for (const auto& x : all) CHECK(x.ready());
  all.clear();
  CHECK(home->live() == 0);
}

TEST_CASE("an operation may not step the engine that runs it") {
  stepped_engine e;
  const auto x = call(e, {}, {}, [&](const kernel_args&, auto, auto) { e.step(); });
  CHECK_THAT(error_of(x), Contains("step: not possible inside an operation"));
}

TEST_CASE("a program takes the same steps every time") {
  lines first;
  for (int round = 0; round < 3; ++round) {
    stepped_engine e(2, 2);
    const use_engine chosen(e);
    tensor x = ones({50, 50}), y = to(ones({50, 50}), cpu(1));
    for (int i = 0; i < 5; ++i) {
      x = matmul(x, x) / 50;
      y = exp(y - to(x, cpu(1)));
    }
    const auto all = all_steps(e);
    if (round == 0) first = all;
    CHECK(all == first);
  }
}

TEST_CASE("an engine in slow motion has lanes and devices, not too many") {
  CHECK_THROWS_WITH(stepped_engine(0), "stepped_engine: 0 lanes, not from 1 to 64");
  CHECK_THROWS_WITH(stepped_engine(-1), "stepped_engine: -1 lanes, not from 1 to 64");
  CHECK_THROWS_WITH(stepped_engine(2, 0), "stepped_engine: 0 CPU devices, not from 1 to 64");
}
