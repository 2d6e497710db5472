// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/actors/actor_engine.hpp"
#include "troupe/devices/cpu/cpu_driver.hpp"
#include "troupe/tensor/ops/transfer.hpp"
#include "troupe/tensor/synchronous_engine.hpp"
#include "troupe/tests/actors/random_program.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::Contains;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// An engine with CPU devices and fake GPUs.
struct machine {
  explicit machine(int gpus = 1, int lanes = 2, std::size_t memory_limit = 1024 * mebibyte,
                   std::size_t capacity = 1024 * mebibyte) {
    auto all = make_cpu_drivers({1, lanes, memory_limit});
    for (int i = 0; i < gpus; ++i) {
      fakes.push_back(std::make_shared<fake_gpu>(i, capacity));
      all.push_back(fakes.back());
    }
    engine = std::make_unique<actor_engine>(std::move(all), memory_limit, 8192, 1024);
  }
  std::vector<std::shared_ptr<fake_gpu>> fakes;
  std::unique_ptr<actor_engine> engine;
};

const how on_gpu{.place = gpu(0)};

}  // namespace

TEST_CASE("a chain on a GPU is put on its stream without waiting for it") {
  machine m;
  auto& e = *m.engine;
  gate g;
  auto x = gated(e, g, {}, {.nanoseconds = 1000, .place = gpu(0)});
  REQUIRE(g.await_inside(1));
  for (int i = 0; i < 100; ++i) x = increment(e, x, 1000);
  // The lane has room for all of it: nothing waits for the first to end.
  for (bool all = false; !all;) {
    all = true;
    for (const auto& t : e.tasks()) all = all && t.lane >= 0;
  }
  g.open();
  CHECK(x.item<double>() == 101);
}

TEST_CASE("data goes to a GPU, through it and back") {
  machine m(2);
  auto& e = *m.engine;
  const auto x = filled(e, {1000}, 1);
  const auto y = increment(e, to(x, gpu(0))), z = increment(e, to(y, gpu(1))),
             back = plus(e, to(z, cpu(0)), x);
  CHECK(back.to_vector<double>() == std::vector<double>(1000, 4));
  CHECK(y.to_vector<double>() == std::vector<double>(1000, 2));
}

TEST_CASE("memory of a GPU is given back, and too much of it fails the value alone") {
  machine m(1, 2, 1024 * mebibyte, 4 * mebibyte);
  auto& e = *m.engine;
  {
    const auto large = filled(e, {1 << 20}, 1, on_gpu);  // 8 MiB
    CHECK_THAT(error_of(large), Contains("out of memory: 8.0 MiB cannot be had on gpu:0"));
    CHECK(error_of(increment(e, large)) == error_of(large));
    auto x = filled(e, {1 << 16}, 1, on_gpu);
    for (int i = 0; i < 100; ++i) x = increment(e, x);
    CHECK(x.to_vector<double>()[0] == 101);
  }
  CHECK_NOTHROW(e.wait_all());  // all of it was read
  CHECK(m.fakes[0]->memory()->live() == 0);
}

TEST_CASE("a GPU that breaks fails its values, and everything else goes on") {
  machine m(2);
  auto& e = *m.engine;
  const auto good = filled(e, {3}, 1, on_gpu), other = filled(e, {3}, 1, {.place = gpu(1)}),
             host = filled(e, {3}, 1);
  e.wait_all();
  const auto bad = failing(e, "an illegal memory access", {good});
  const auto after = increment(e, bad), beside = increment(e, good), moved = to(beside, cpu(0));
  for (const auto& x : {bad, after, beside, moved})
    CHECK_THAT(error_of(x), Contains("gpu:0 is lost: an illegal memory access"));
  CHECK_THAT(error_of(filled(e, {2}, 1, on_gpu)), Contains("gpu:0 is lost"));
  CHECK(increment(e, other).to_vector<double>() == std::vector<double>(3, 2));
  CHECK(increment(e, host).to_vector<double>() == std::vector<double>(3, 2));
  CHECK_NOTHROW(e.wait_all());  // all of it was read
}

TEST_CASE("what has not been put on a GPU's stream can be cancelled") {
  machine m;
  auto& e = *m.engine;
  gate g;
  const auto first = gated(e, g, {}, {.nanoseconds = 1e9f, .place = gpu(0)});
  REQUIRE(g.await_inside(1));
  auto x = first;
  for (int i = 0; i < 10; ++i)
    x = call(e, {x}, {}, [](auto&, auto, auto) {}, {.nanoseconds = 1e9f});
  e.cancel_all();
  CHECK_THAT(error_of(x), Contains("cancelled"));
  g.open();
  CHECK(first.item<double>() == 1);
}

TEST_CASE("an engine that ends with work on a GPU ends it") {
  tensor x;
  {
    machine m;
    x = filled(*m.engine, {10}, 1, on_gpu);
    for (int i = 0; i < 1000; ++i) x = increment(*m.engine, x);
  }
  CHECK(x.ready());
}

TEST_CASE("the trace has what ran on a GPU, in order and one after the other") {
  machine m;
  auto& e = *m.engine;
  auto x = filled(e, {10}, 1, on_gpu);
  for (int i = 0; i < 20; ++i) x = increment(e, x);
  x.wait();
  e.wait_all();
  ticks before = 0;
  int count = 0;
  for (const auto& one : e.trace(0).events) {
    if (one.place != gpu(0)) continue;
    CHECK(one.started >= before);
    CHECK(one.ended >= one.started);
    before = one.ended;
    ++count;
  }
  CHECK(count == 21);
}

TEST_CASE("random programs on CPUs and GPUs give what the synchronous engine gives, to the bit") {
  const int gpus = GENERATE(1, 2), lanes = GENERATE(1, 2, 8);
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("gpus " << gpus << ", lanes " << lanes << ", seed " << seed);
    std::vector<outcome> expected;
    {
      synchronous_engine oracle([&] {
        auto all = make_cpu_drivers({1, 1, 1024 * mebibyte});
        for (int i = 0; i < gpus; ++i) all.push_back(std::make_shared<fake_gpu>(i));
        return all;
      }());
      expected = run_random_program(oracle, seed);
    }
    machine m(gpus, lanes);
    REQUIRE(run_random_program(*m.engine, seed) == expected);
  }
}
