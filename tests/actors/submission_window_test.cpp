// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <stdexcept>
#include <thread>
#include <vector>

#include "troupe/actors/submission_window.hpp"

using namespace troupe;

TEST_CASE("a window counts tasks submitted that have not ended") {
  submission_window window(16);
  for (int i = 0; i < 10; ++i) window.enter(true);
  window.leave(4);
  CHECK(window.pending() == 6);
}

TEST_CASE("a window numbers tasks from 1") {
  submission_window window(16);
  CHECK(window.last() == 0);
  CHECK(window.enter(true) == 1);
  CHECK(window.enter(false) == 2);
  window.leave(2);
  CHECK(window.enter(true) == 3);
  CHECK(window.last() == 3);
}

TEST_CASE("what looks up while a client waits for room may end the wait") {
  submission_window window(4);
  for (int i = 0; i < 4; ++i) window.enter(true);
  int looked = 0;
  const wait_watch interruptible([&] {
    CHECK(window.waiting() == 1);
    if (++looked == 2) throw std::runtime_error("stop");
  });
  CHECK_THROWS_AS(window.enter(true), std::runtime_error);
  CHECK(looked == 2);
  CHECK(window.waiting() == 0);
  CHECK(window.last() == 4);
  window.leave(4);
  CHECK(window.enter(true) == 5);
}

TEST_CASE("a task that only has a number is never pending") {
  submission_window window(16);
  CHECK(window.enter(true) == 1);
  CHECK(window.number() == 2);
  CHECK(window.enter(true) == 3);
  CHECK(window.pending() == 2);
  CHECK(window.entered() == 2);
  window.leave(2);
  CHECK(window.has_seen(2));
}

TEST_CASE("a caller that may not wait passes a full window") {
  submission_window window(16);
  for (int i = 0; i < 100; ++i) window.enter(false);
  CHECK(window.pending() == 100);
}

TEST_CASE("a client that reaches the bound continues when half have ended, not before") {
  submission_window window(16);
  for (int i = 0; i < 16; ++i) window.enter(true);
  std::atomic<bool> entered = false;
  std::jthread client([&] {
    window.enter(true);
    entered = true;
  });
  while (window.waiting() == 0) std::this_thread::yield();
  for (int i = 0; i < 7; ++i) {
    window.leave(1);
    for (int spin = 0; spin < 100; ++spin) std::this_thread::yield();
    REQUIRE_FALSE(entered);
  }
  window.leave(1);
  client.join();  // hangs if the client was not woken
  CHECK(entered);
  CHECK(window.pending() == 9);
}

TEST_CASE("the bound holds for many clients at once, and none is left asleep") {
  constexpr std::uint64_t most = 64, clients = 6, each = 5'000;
  submission_window window(most);
  std::atomic<std::uint64_t> entered = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t c = 0; c < clients; ++c)
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < each; ++i) {
        window.enter(true);
        ++entered;
      }
    });
  std::uint64_t left = 0, peak = 0;
  while (left < clients * each) {
    const auto pending = window.pending();
    peak = std::max(peak, pending);
    const auto known = entered.load();
    if (known == left) std::this_thread::yield();
    window.leave(known - left);
    left = known;
  }
  for (auto& t : threads) t.join();
  CHECK(window.pending() == 0);
  CHECK(peak <= most + clients);  // each client may check the bound at the same moment
}
