// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Times that tasks took, by which tasks of the same operation and cost are estimated afterwards: a
/// guess from bytes and flops knows neither caches nor what a user's function does. Any thread may
/// use it. Tasks that are taken for less than 2 microseconds are not learned.
class learned_costs {
 public:
  /// Returns true for tasks whose times are noted.
  static bool learns(const task& t) noexcept {
    return t.estimate >= worth_learning && !t.injected.late && t.device.traits().synchronous;
  }
  /// Returns the nanoseconds that a task is expected to take; `t.estimate` until one like it ran.
  float expected(const task& t) const noexcept { return learns(t) ? learned(t) : t.estimate; }
  /// Notes the nanoseconds that a task took. Tasks that were slowed on purpose are not noted.
  void note(const task& t, double nanoseconds) noexcept;

 private:
  float learned(const task& t) const noexcept;

  static constexpr float worth_learning = 2'000;  // nanoseconds

  /// Number of a kind of task and the time it takes, in one word.
  struct entry {
    std::uint32_t kind = 0;
    float nanoseconds = 0;
  };

  static constexpr std::size_t size = 2048;

  std::array<std::atomic<entry>, size> entries_{};
};

}  // namespace troupe
