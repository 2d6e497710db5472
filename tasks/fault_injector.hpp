// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "troupe/tasks/fault_plan.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// Marker of tasks that must be late or fail. Thread-safe.
class fault_injector {
 public:
  /// Applies a plan from now on; tasks marked before stay marked.
  void set(fault_plan plan);
  /// Marks a task if the plan says so. Call it with each task before it is submitted.
  void mark(task& t) {
    if (active_.load(std::memory_order_relaxed)) [[unlikely]]
      look_up(t);
  }

 private:
  void look_up(task& t);

  std::atomic<bool> active_ = false;
  std::mutex mutex_;
  fault_plan plan_;
};

/// Sleeps for the injected delay of a task, unless an input has failed. Returns early once the task
/// is cancelled, that is, once `cancelled_through` has reached its number.
void sleep_if_late(const task& t, const std::atomic<std::uint64_t>* cancelled_through = nullptr);

}  // namespace troupe
