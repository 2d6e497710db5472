// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <thread>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace troupe::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

tensor in_static_storage;

bool lives(const tensor& x) {
  try {
    engine::of(*x.source(), "lives", caller::current());
    return true;
  } catch (const error&) { return false; }
}

/// Opens a gate once the destructor of the runtime that computes `x` has begun.
std::jthread open_at_end(gate& g, const tensor& x) {
  return std::jthread([&g, x] {
    while (lives(x)) std::this_thread::yield();
    g.open();
  });
}

/// Waits for a short random time.
void dawdle(std::mt19937& random) {
  for (auto n = random() % 2'000; n > 0; --n) std::this_thread::yield();
}

}  // namespace

TEST_CASE("a runtime that never ran anything ends") {
  for (int i = 0; i < 20; ++i) runtime rt({.lanes = 1 + i % 4, .cpu_devices = 1 + i % 3});
}

TEST_CASE("a runtime with many lanes, or many devices, ends") {
  const auto lanes = GENERATE(1, 64);
  runtime rt({.lanes = lanes, .cpu_devices = lanes == 1 ? 64 : 2});
  CHECK(sum(ones({1000})).item<float>() == 1000);
}

TEST_CASE(
    "a runtime ends cleanly at any point of its work: all values are settled, all memory is "
    "returned") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    std::vector<tensor> all;
    std::shared_ptr<memory> home;
    {
      runtime rt({.lanes = 1 + static_cast<int>(random() % 4),
                  .cpu_devices = 2,
                  .memory_limit = std::size_t{8} << 20});
      auto& e = rt.engine();
      home = rt.devices()[0]->memory();
      tensor x = filled(e, {100}, 0);
      const auto count = random() % 10'000;
      for (unsigned i = 0; i < count; ++i) {
        const auto what = random() % 1'000;
        if (what == 0) all.push_back(failing(e, "on purpose", {x}));
        else if (what < 3) all.push_back(to(x, cpu(1)));
        else if (what < 6) all.push_back(filled(e, {100'000}, i, {.nanoseconds = 1e6}));
        else if (what < 7 && random() % 4 == 0) rt.cancel_all();
        else if (what < 10) x = filled(e, {100}, 0);
        else x = increment(e, x, what < 20 ? 60'000.f : 0.f);
        if (what % 100 == 0) all.push_back(x);
      }
      dawdle(random);
      if (random() % 3 == 0) rt.cancel_all();
      dawdle(random);
    }
    for (const auto& x : all) REQUIRE((x.ready() || x.failed()));
    all.clear();
    REQUIRE(home->live() == 0);
  }
}

TEST_CASE("the destructor waits for a running task") {
  gate g;
  std::jthread opener;
  tensor x;
  {
    runtime rt({.lanes = 1, .cpu_devices = 1});
    x = gated(rt.engine(), g);
    opener = open_at_end(g, x);
    REQUIRE(g.await_inside(1));
    CHECK_FALSE(x.ready());
  }
  CHECK(x.ready());
}

TEST_CASE(
    "a runtime that ends with 10,000 tasks behind a running one computes or fails each of them and "
    "returns all memory") {
  const bool cancelled = GENERATE(false, true);
  CAPTURE(cancelled);
  gate g;
  std::jthread opener;
  std::vector<tensor> all;
  std::shared_ptr<memory> home;
  tensor running;
  {
    runtime rt({.lanes = 2, .cpu_devices = 1, .max_pending = 20'000});
    auto& e = rt.engine();
    home = rt.devices()[0]->memory();
    running = gated(e, g);
    opener = open_at_end(g, running);
    REQUIRE(g.await_inside(1));
    tensor x = call(e, {running}, {100}, [](const kernel_args& a, auto, auto) {
      std::fill(begin(a.outputs[0]), end(a.outputs[0]), *begin(a.inputs[0]));
    });
    all.push_back(x);
    while (all.size() < 10'000) {
      if (all.size() % 100 == 50) all.push_back(failing(e, "on purpose", {x}));
      else all.push_back(x = increment(e, x));
    }
    REQUIRE(std::ranges::none_of(all, [](auto& v) { return v.ready() || v.failed(); }));
    if (cancelled) rt.cancel_all();
  }
  opener.join();
  CHECK(running.item<double>() == 1);
  double expected = 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cancelled) REQUIRE_THROWS_AS(all[i].wait(), cancelled_error);
    else if (i % 100 == 50) REQUIRE_THAT(error_of(all[i]), Contains("on purpose"));
    else REQUIRE(all[i].to_vector<double>() == std::vector<double>(100, expected++));
  }
  all.clear();
  CHECK(home->live() == 0);
}

TEST_CASE(
    "tensors that outlive their runtime can be read, failed ones throw, and no operation accepts "
    "them") {
  tensor good, bad, in_buffer;
  {
    runtime rt({.lanes = 2, .cpu_devices = 2});
    good = filled(rt.engine(), {2}, 4);
    in_buffer = to(filled(rt.engine(), {1'000}, 5), cpu(1));
    bad = failing(rt.engine(), "on purpose");
  }
  CHECK(good.to_vector<double>() == std::vector<double>{4, 4});
  CHECK(in_buffer.to_vector<double>() == std::vector<double>(1'000, 5));
  CHECK(good.wait_for(std::chrono::seconds(1)));
  CHECK_THAT(error_of(bad), Contains("on purpose"));
  CHECK_THROWS_WITH(
      to(good, cpu(1)),
      Contains("the runtime that this tensor belongs to has ended (shutdown_test.cpp:"));
  CHECK_THROWS_WITH(engine::current("zeros", caller::current()),
                    Contains("zeros: no runtime is running; start one with `troupe::runtime rt;` "
                             "(shutdown_test.cpp:"));
  runtime another({.lanes = 1, .cpu_devices = 2});
  CHECK_THROWS_WITH(to(good, cpu(1)), Contains("has ended"));
}

TEST_CASE("a tensor in static storage may be the last to use a runtime's memory") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  in_static_storage = filled(rt.engine(), {10'000}, 1);
  in_static_storage.wait();
  SUCCEED("the rest is seen when the program ends");
}

TEST_CASE("once a runtime has begun to end, submitting throws; earlier tasks are still computed") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    tensor x;
    int submitted = 0;
    std::string refused, refused_new;
    gate g;  // delays the end until the client was refused
    std::jthread client;
    {
      runtime rt({.lanes = 2, .cpu_devices = 1});
      x = zeros({50}, float64).wait();
      gated(rt.engine(), g, {}, {.nanoseconds = 1e8});
      client = std::jthread([&] {
        try {
          for (;; ++submitted) x = x + 1;
        } catch (const error& e) { refused = e.what(); }
        try {
          zeros({1});
        } catch (const error& e) { refused_new = e.what(); }
        g.open();
      });
      dawdle(random);
    }
    client.join();
    CHECK_THAT(refused, StartsWith("add: the runtime that this tensor belongs to has ended "
                                   "(shutdown_test.cpp:"));
    CHECK_THAT(refused_new, StartsWith("zeros: no runtime is running;"));
    CHECK(x.to_vector<double>() == std::vector<double>(50, submitted));
  }
}

TEST_CASE("an operation that submits while its runtime ends is refused or served") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    runtime rt({.lanes = 2, .cpu_devices = 1});
    auto& e = rt.engine();
    for (int k = 0; k < 50; ++k) {
      const auto x = filled(e, {4}, k);
      call(e, {}, {}, [x](const kernel_args&, auto, auto) {
        tensor y = x;
        for (int i = 0; i < 300; ++i)
          y = increment(engine::of(*y.source(), "increment", caller::current()), y);
      });
    }
    dawdle(random);
  }
  SUCCEED("all ended");
}

TEST_CASE("two runtimes live at once, each with its own lanes, values and memory") {
  runtime a({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto blocked = gated(a.engine(), g);
  REQUIRE(g.await_inside(1));
  {
    runtime b({.lanes = 2, .cpu_devices = 2});
    const auto x = filled(b.engine(), {1'000}, 1);
    CHECK(to(plus(b.engine(), x, x), cpu(1)).to_vector<double>()[0] == 2);
    CHECK(a.memory().live == 0);
    CHECK(b.memory().live > 0);
    b.wait_all();
  }
  CHECK_FALSE(blocked.ready());
  g.open();
  CHECK(blocked.item<double>() == 1);
}

TEST_CASE("runtimes come and go on several threads") {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&wrong] {
      for (int i = 0; i < 15; ++i) {
        runtime rt({.lanes = 2, .cpu_devices = 1});
        wrong += increment(rt.engine(), filled(rt.engine(), {}, i)).item<double>() != i + 1;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}
