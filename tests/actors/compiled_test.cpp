// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <thread>

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
