// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "troupe/actors/joint_runs.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe {

/// Lane of the threads that submit tasks and wait for them. What is ready, and takes no longer than
/// passing it on to another thread, runs there at once: whoever submits it goes on sooner than if
/// somebody else did. Thread-safe.
class callers_lane {
 public:
  static constexpr const char* name = "callers";
  /// Longest task, in nanoseconds by estimate, that runs where it is submitted.
  static constexpr float short_task = 1'000;
  /// Estimate from which on a task that runs here is counted as pending.
  static constexpr float seen_running = 20'000;

  callers_lane(std::size_t number, std::size_t trace_capacity)
      : number_(static_cast<std::int16_t>(number)),
        traces_(trace_capacity > 0),
        ring_(trace_capacity) {}

  /// Returns true if a task is ready and may run on any thread of the program: it computes or
  /// copies on CPU devices, lanes alone need not run it, and no plan makes it late.
  static bool takes(const task& t) noexcept;

  /// Runs such a task, which has just become ready, on this thread, on the device where its outputs
  /// are to be, and returns what the trace says of it; `jointly` with threads that look for work,
  /// if there are any and it is long enough.
  task_event run(task& t, driver& where, bool jointly) noexcept;

  /// Expects others to join from now on: if nobody joins the next such run, a thread is woken.
  void expect_others(ticks time) noexcept { joint_.expect_others(time); }

  // For threads of lanes that look for work.

  /// Returns true if there is a task on this device to take part in.
  bool offers(const driver& on) const noexcept { return joint_.any(on); }
  /// Takes part in it, on the thread of a lane of this device. Returns false if there was nothing
  /// to do.
  bool help(const driver& on, int lane) noexcept;
  /// Returns true if such a thread should be woken.
  bool wants_thread() noexcept { return joint_.wants_thread(); }

  trace_part trace(ticks since) const;

 private:
  void add_to_trace(const task_event& event) noexcept;

  const std::int16_t number_;
  const bool traces_;
  mutable std::atomic<bool> taken_ = false;  ///< a thread reads or writes the ring
  trace_ring ring_;
  joint_runs joint_;
};

}  // namespace troupe
