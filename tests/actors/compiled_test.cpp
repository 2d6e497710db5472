// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <thread>

#include "troupe/tasks/clock.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"
#include "troupe/troupe.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("compiled functions run on lanes return what the functions return, to the bit") {
  runtime rt({.lanes = GENERATE(1, 2, 8)});
  auto& e = rt.engine();
  for (unsigned seed = 10'001; seed <= 10'200; ++seed) {
    CAPTURE(seed);
    const random_function f{seed};
    const auto compiled = compile(f);
    e.seed(seed);
    const auto in = random_arguments(seed);
    const auto numbers = e.random_state();
    const auto expected = f(in);
    for (int call = 0; call < 2; ++call) {
      e.seed(numbers.key, numbers.counter);
      const auto got = compiled(in);
      for (std::size_t i = 0; i < got.size(); ++i) REQUIRE(same_bits(got[i], expected[i]));
    }
  }
}

TEST_CASE("lanes share reductions and products with what is joined to them, to the bit") {
  runtime rt({.lanes = GENERATE(1, 2, 8)});
  const auto reduced = [](const tensor& x) {
    const auto y = x * 2 - 1, z = square(y);
    return std::vector<tensor>{sum(z), max(y), var(y), z, argmax(abs(y)), logsumexp(y)};
  };
  for (const std::int64_t size : {40'000, 131'073, 400'003, 3'000'001}) {
    for (const auto type : {float32, float64}) {
      CAPTURE(size, type);
      const auto x = normal({size}, 0, 3, {.dtype = type});
      const auto got = compile(reduced)(x), expected = reduced(x);
      for (std::size_t i = 0; i < got.size(); ++i) CHECK(same_bits(got[i], expected[i]));
    }
  }
  const auto product = [](const tensor& x, const tensor& w, const tensor& b) {
    return maximum(matmul(x, w) + b, 0) * 0.5;
  };
  for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{1300, 400, 700}, {90, 700, 9001}}) {
    const auto x = normal({m, k}), w = normal({k, n}), b = normal({n});
    const auto f = compile(product);
    CHECK(same_bits(f(x, w, b), product(x, w, b)));
    CHECK_THAT(f.explain(), Catch::Contains("fused matmul, add, maximum, multiply ("));
  }
}

TEST_CASE("threads share the programs of a function") {
  runtime rt({.lanes = 2});
  const auto f = compile([](const tensor& x) { return tanh(x) * 2 + sum(x); });
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const auto x = full({1 + i % 3, 4}, t);
        right += same_bits(f(x), tanh(x) * 2 + sum(x));
      }
    });
  for (auto& one : threads) one.join();
  CHECK(right == 800);
}

TEST_CASE("programs that run ahead keep to the memory limit") {
  constexpr std::size_t limit = std::size_t{64} << 20;
  runtime rt({.lanes = 2, .memory_limit = limit});
  const auto f = compile([](const tensor& x) { return matmul(softmax(tanh(x) * 2 + 1, 1), x); });
  auto x = full({512, 512}, 0.001);
  for (int i = 0; i < 500; ++i) x = f(x);
  x.wait();
  CHECK(rt.memory(cpu()).peak <= limit);
}

TEST_CASE("tasks of a program can be cancelled, and the program runs again") {
  runtime rt({.lanes = 1});
  const auto f = compile([](const tensor& x) { return exp(matmul(x, x)) + 1; });
  const auto x = full({300, 300}, 0.001);
  const auto expected = f(x);
  expected.wait();
  for (int round = 0; round < 20; ++round) {
    std::vector<tensor> all;
    for (int i = 0; i < 20; ++i) all.push_back(f(x));
    rt.cancel_all();
    for (const auto& y : all) {
      try {
        y.wait();
      } catch (const cancelled_error&) {}
    }
  }
  CHECK(same_bits(f(x), expected));
}

TEST_CASE("the trace and the overlap of a program's tasks are those of any tasks") {
  runtime rt({.lanes = 2});
  const auto f = compile([](const tensor& x, const tensor& y) {
    const auto a = matmul(x, x);
    const auto b = matmul(y, y);
    return a + b;
  });
  const auto x = full({400, 400}, 0.001), y = full({400, 400}, 0.002);
  f(x, y).wait();
  rt.wait_all();
  const auto start = now();
  f(x, y).wait();
  rt.wait_all();
  std::map<std::string, std::set<unsigned>> lines;
  for (const auto& one : rt.trace(start).events) {
    lines[std::string(one.name)].insert(one.call_site.line());
    CHECK(std::string_view(one.call_site.file_name()).ends_with("compiled_test.cpp"));
  }
  REQUIRE(lines["matmul"].size() == 2);
  REQUIRE(lines["add"].size() == 1);
  CHECK(*lines["add"].begin() == *lines["matmul"].rbegin() + 1);
  CHECK(rt.overlap(start).tasks == 3);
}

TEST_CASE("the tasks of a program have the priority of its caller") {
  runtime rt({.lanes = 1});
  const auto f = compile([](const tensor& x) { return exp(matmul(x, x)); });
  const auto x = full({200, 200}, 0.001);
  f(x).wait();
  gate g;
  const auto first = gated(rt.engine(), g, {}, {.nanoseconds = 1e9F});
  REQUIRE(g.await_inside(1));
  std::vector<tensor> low;
  for (int i = 0; i < 20; ++i) low.push_back(f(x));
  tensor high;
  {
    const with_priority above(10);
    high = f(x);
  }
  const auto start = now();
  g.open();
  rt.wait_all();
  const auto events = rt.trace(start).events;
  const auto place = [&](const tensor& t) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].sequence == t.source()->sequence) return i;
    }
    return events.size();
  };
  CHECK(place(high) < place(low[10]));  // the lane may have been given some before it
}

TEST_CASE("programs submit no further ahead than max_pending tasks") {
  runtime rt({.lanes = 1, .max_pending = 64});
  const auto f = compile([](const tensor& x) { return exp(matmul(x, x)); });
  auto x = full({120, 120}, 0.001);
  std::size_t most = 0;
  for (int i = 0; i < 2000; ++i) {
    x = f(x) * 0.001;
    most = std::max<std::size_t>(most, rt.pending());
  }
  x.wait();
  CHECK(most <= 64);
  CHECK(most > 32);
}
