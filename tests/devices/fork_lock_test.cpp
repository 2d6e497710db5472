// SPDX-License-Identifier: MIT
#include "troupe/devices/fork_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "troupe/devices/cpu/memory_pool.hpp"
#include "troupe/devices/made_once.hpp"

using namespace troupe;

TEST_CASE(
    "a child of fork finds locks free that other threads held, and what they guard in order") {
  fork_lock first;
  const auto second = std::make_unique<fork_lock>();
  int begun = 0, ended = 0;  // the same whenever `first` is free
  std::jthread holder([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      { const std::lock_guard lock(*second); }
      const std::lock_guard lock(first);
      ++begun;
      for (volatile int i = 0; i < 1000;) i = i + 1;
      ++ended;
    }
  });
  for (int i = 0; i < 200; ++i) {
    { const fork_lock short_lived; }
    const auto child = ::fork();
    if (child == 0) _exit(first.try_lock() && second->try_lock() && begun == ended ? 0 : 1);
    REQUIRE(child > 0);
    int status = 1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
  }
}

TEST_CASE("threads that fork, hold locks and make what is used first do not wait for each other") {
  fork_lock outer, inner;
  std::jthread nested([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      {
        const std::lock_guard lock(outer);
        const first_use scope;
        const std::lock_guard last(inner);
      }
      const first_use scope;
      const fork_lock made;
      const std::lock_guard lock(outer);
    }
  });
  for (int i = 0; i < 200; ++i) {
    const auto child = ::fork();
    if (child == 0) {
      const first_use scope;
      _exit(outer.try_lock() && inner.try_lock() ? 0 : 1);
    }
    REQUIRE(child > 0);
    int status = 1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
  }
}

TEST_CASE("a child of fork gives memory back while its parent's threads take some") {
  constexpr std::size_t bytes = 100'000;
  const auto pool = std::make_shared<memory_pool>(4 * bytes);
  void* const held = pool->allocate(bytes);
  std::jthread busy([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::vector<buffer> some;
      for (std::size_t i = 0; i < 8; ++i) some.emplace_back(pool, bytes + i);
    }
  });
  for (int i = 0; i < 1'000; ++i) {
    const auto child = ::fork();
    if (child == 0) {
      ::alarm(60);
      pool->deallocate(held, bytes);
      { const buffer own(pool, bytes); }
      pool->trim();
      _exit(0);
    }
    REQUIRE(child > 0);
    int status = 1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
  }
  busy.request_stop();
  busy.join();
  pool->deallocate(held, bytes);
}

TEST_CASE("a fork waits for what is made at its first use; what is not made, the child makes") {
  using namespace std::chrono_literals;
  struct made {
    fork_lock lock;  // may be made within another first use
    int number = 0;
  };
  static constinit made_once<made> whole;
  static constinit made_once<int> later;
  std::atomic<bool> begun = false;
  std::jthread first([&] {
    whole.get([&]() -> made {
      begun = true;
      std::this_thread::sleep_for(30ms);
      return {.lock = {}, .number = 7};
    });
  });
  while (!begun) std::this_thread::yield();
  const auto child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const int number = whole.get().number + later.get([] { return 5; });
    _exit(number == 12 ? 0 : 1);
  }
  REQUIRE(child > 0);
  int status = 1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(later.get() == 0);
}
