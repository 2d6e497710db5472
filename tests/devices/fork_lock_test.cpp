// SPDX-License-Identifier: MIT
#include "troupe/devices/fork_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <memory>
#include <thread>

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
