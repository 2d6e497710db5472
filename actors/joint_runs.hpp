// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <optional>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/trace.hpp"
#include "troupe/tasks/work_offer.hpp"

namespace troupe {

/// Runs of tasks that a thread of the program begins, since it reads their results soon, and that
/// threads of idle lanes join: only such as look for work anyhow. Thread-safe.
class joint_runs {
 public:
  /// Runs a task, beginning now, on this thread and on those that join it, and completes what the
  /// trace says of this thread's part. Returns false if the task is too short, or cannot be shared.
  bool run(task& t, driver& where, task_event& event) noexcept;

  /// Returns true if there is a run to join on a device.
  bool any(const driver& on) const noexcept { return offer_.open(on); }
  /// Joins it, on a thread that looks for work for the device. Returns what the trace says of that,
  /// but for the lane, or none if there was nothing to do.
  std::optional<task_event> join(const driver& on) noexcept;

  /// Expects others to join from now on: if nobody joins the next run, which begins soon, a thread
  /// is to be woken.
  void expect_others(ticks time) noexcept;
  /// Returns true if a thread should be woken: it is likely that more such runs follow.
  bool wants_thread() noexcept;

 private:
  void note(bool joined, ticks since, ticks until) noexcept;

  work_offer offer_;
  std::atomic<ticks> last_ = 0;           ///< the end of the last run
  std::atomic<int> alone_ = 0;            ///< runs in a row, soon after each other, nobody joined
  std::atomic<int> alone_before_ = few_;  ///< as many are to come before a thread is woken
  static constexpr int few_ = 4;
};

}  // namespace troupe
