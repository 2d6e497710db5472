// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "troupe/tasks/fault_plan.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// Marks the tasks that are to be late or to fail. Thread-safe.
class fault_injector {
 public:
  /// From now on; what was marked before stays so.
  void set(fault_plan d);
  /// To be called with each task before it is submitted.
  void mark(task& t) {
    if (active_.load(std::memory_order_relaxed)) [[unlikely]]
      look_up(t);
  }

 private:
  void look_up(task& t);

  std::atomic<bool> active_ = false;
  std::mutex mutex_;
  fault_plan what_;
};

/// Lets the time go by that a task is late, unless an input of it has failed; the caller's thread
/// sleeps. Comes back early once the task was cancelled, that is, once `cancelled_through` has
/// reached its number.
void sleep_if_late(const task& t, const std::atomic<std::uint64_t>* cancelled_through = nullptr);

}  // namespace troupe
