// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "troupe/actors/runtime.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/waiting.hpp"
#include "troupe/tests/actors/test_operations.hpp"
#include "troupe/tests/address_limit.hpp"
#include "troupe/tests/comes_true.hpp"
#include "troupe/tests/shortage.hpp"

#ifdef TROUPE_TESTS_SHORTAGES

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a shortage of memory stops no actor: tasks go on when it is over") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  std::vector<tensor> all;
  const auto submit = [&] {
    for (int i = 0; i < 300; ++i) {
      auto x = filled(e, {}, i);
      for (int j = 0; j < 5; ++j) x = increment(e, x);
      if (i % 10 == 0) x = increment(e, to(x, cpu(1)).within(1h));
      all.push_back(x);
    }
  };
  for (const int refused : {1, 3, 10}) {
    all.clear();
    {
      const shortage here;
      submit();
      CHECK(shortage::await_refused(refused));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      REQUIRE(all[i].wait_for(60s));
      REQUIRE(all[i].item<double>() == static_cast<double>(i) + (i % 10 == 0 ? 6 : 5));
    }
    rt.wait_all();
  }
}

TEST_CASE("a shortage of memory that lasts is told once") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const int before = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  ::close(ends[1]);
  char line[200];
  ssize_t length = 0;
  {
    runtime rt({.lanes = 2, .cpu_devices = 2});
    tensor x;
    {
      const shortage here;
      for (int i = 0; i < 300; ++i) x = increment(rt.engine(), filled(rt.engine(), {}, i));
      length = ::read(ends[0], line, sizeof line);  // what waits says so
    }
    CHECK(x.wait_for(60s));
  }
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  CHECK(std::string(line, static_cast<std::size_t>(length)) ==
        "troupe: there is no memory to keep track of tasks with, so they wait until the program "
        "gives some back\n");
  CHECK(::read(ends[0], line, sizeof line) == 0);
  ::close(ends[0]);
}

TEST_CASE("an operation that finds no memory fails, and does not wait for it") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  gate g;
  const auto x = call(rt.engine(), {}, {}, [way = g.through()](const kernel_args&, auto, auto) {
    way.pass();
    ::operator delete(::operator new(1000));
  });
  REQUIRE(g.await_inside(1));
  {
    const shortage here;
    g.open();
    CHECK(shortage::await_refused(1));
    const auto patience = std::chrono::steady_clock::now() + 30s;
    while (!x.failed() && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    CHECK(x.failed());
  }
  CHECK_THAT(error_of(x), Catch::Contains("out of memory"));
  CHECK(increment(rt.engine(), filled(rt.engine(), {}, 1)).item<double>() == 2);
}

namespace {

/// Small blocks of memory: all that there are.
class every_block {
 public:
  every_block() {
    for (int i = 0; i < most; ++i) {
      void* const memory = std::malloc(bytes);
      if (!memory) break;
      first_ = ::new (memory) block{first_};
    }
  }
  every_block(const every_block&) = delete;
  every_block& operator=(const every_block&) = delete;
  ~every_block() {
    while (first_) give_back();
  }
  void give_back() {
    if (first_) std::free(std::exchange(first_, first_->next));
  }

 private:
  struct block {
    block* next;
  };
  static constexpr int most = 4'000'000;
  static constexpr std::size_t bytes = 128;

  block* first_ = nullptr;
};

}  // namespace

TEST_CASE("without a byte to be had, every task that was submitted ends") {
  if (!address_limit::possible) return;
  runtime rt({.lanes = 2, .cpu_devices = 2});
  auto& e = rt.engine();
  {  // all threads have begun
    gate g;
    std::vector<tensor> warm;
    for (const int d : {0, 0, 1, 1})
      warm.push_back(gated(e, g, {}, {.nanoseconds = 1e6, .device = cpu(d)}));
    REQUIRE(g.await_inside(4));
    g.open();
    for (const auto& x : warm) increment(e, to(to(x, cpu(1)), cpu(0))).wait();
  }
  std::vector<tensor> all;
  all.reserve(500);
  {
    const address_limit none(0);
    every_block mine;
    try {
      for (int i = 0; i < 500; ++i) {
        for (int j = 0; j < 40; ++j) mine.give_back();  // for the tasks themselves
        all.push_back(increment(e, to(filled(e, {i % 5 == 0 ? 1'000'000 : 3}, 1), cpu(1))));
      }
    } catch (const std::bad_alloc&) {}
    for (const auto& x : all) {
      try {
        x.wait();
      } catch (const std::exception&) {}
    }
  }
  CHECK(all.size() > 10);
  std::size_t without_memory = 0;
  for (const auto& x : all) {
    if (x.ready()) {
      REQUIRE(x.to_vector<double>().back() == 2);
    } else {
      REQUIRE_THAT(error_of(x), Catch::Contains("out of memory"));
      ++without_memory;
    }
  }
  CHECK(without_memory > 0);
  CHECK(increment(e, filled(e, {}, 1)).item<double>() == 2);
}

TEST_CASE("without a byte to be had, what runs where it is called does not wait for one") {
  if (!address_limit::possible) return;
  runtime rt({.lanes = 1, .cpu_devices = 1, .trace_events = 1 << 20});
  const tensor x{1.0, 2.0};
  std::vector<tensor> all;
  all.reserve(100'000);
  {
    const address_limit none(0);
    every_block mine;
    for (int i = 0; i < 100'000; ++i) {
      for (int j = 0; j < 20; ++j) mine.give_back();  // for the tasks themselves
      try {
        all.push_back(x + 1);
      } catch (const std::bad_alloc&) {}
    }
  }
  CHECK(!all.empty());
  CHECK(std::ranges::all_of(all, [](const tensor& y) {
    return y.to_vector<double>() == std::vector<double>{2, 3};
  }));
}

TEST_CASE("a thread of the program finds no memory as before") {
  runtime rt({.lanes = 1, .cpu_devices = 1});
  const volatile std::size_t too_much = std::size_t{1} << 62;
  CHECK_THROWS_AS(::operator delete(::operator new(too_much)), std::bad_alloc);
}

TEST_CASE("memory that a runtime keeps for reuse is there for the rest of the program") {
  if (!address_limit::possible) return;
  runtime rt({.lanes = 1, .cpu_devices = 1});
  auto& e = rt.engine();
  increment(e, filled(e, {std::int64_t{20} << 20}, 1)).wait();
  rt.wait_all();
  REQUIRE(comes_true([&] { return rt.memory().live == 0; }));
  REQUIRE(rt.memory().cached > std::size_t{160} << 20);
  const address_limit few(std::size_t{16} << 20);
  std::vector<char> own(std::size_t{100} << 20);
  CHECK_FALSE(own.empty());
  CHECK(rt.memory().cached == 0);
}

#endif
