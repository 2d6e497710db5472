// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>

#include "troupe/actors/options.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/tasks/fault_plan.hpp"
#include "troupe/tasks/overlap.hpp"
#include "troupe/tasks/profile.hpp"
#include "troupe/tasks/task_state.hpp"
#include "troupe/tasks/trace.hpp"
#include "troupe/tasks/use_engine.hpp"

namespace caf {
class actor;
}

namespace troupe {

/// Snapshot of one actor of a runtime.
struct actor_state {
  std::string name;           ///< "frontend", "dependency cpu:0", "cpu:0 lane 0", "copy to cpu:0"
  std::uint64_t handled = 0;  ///< messages handled so far, including the current one
  std::uint64_t waiting = 0;  ///< messages in its mailbox
};

class engine;
class reception;

/// Owner of the actors that run tensor programs. Tensors created during its lifetime belong to it
/// (see `engine::current`). Its destructor finishes the work and stops the actors. Tensors may
/// outlive it: ready values on CPU devices of this machine can still be read. Failures that nobody
/// has read are told in one line on standard error, unless told otherwise. Once the destructor has
/// begun, other threads that submit get an error; no thread may be inside a call that uses the
/// runtime when the destructor returns.
class runtime {
 public:
  /// Starts the actors. Throws troupe::error for options that are out of range.
  explicit runtime(const runtime_options& options = {});
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;
  ~runtime();

  /// Waits for everything submitted so far, then throws the first failure in program order that was
  /// not reported yet.
  void wait_all();
  /// Fails all tasks that have not started with `cancelled_error`.
  void cancel_all();

  /// Returns the options in force, with all fields filled in.
  const runtime_options& options() const noexcept { return options_; }
  const drivers& devices() const noexcept;
  /// Returns the live, peak and cached bytes of a device; of one on a node those that this program
  /// has there, and none as cached. Throws if there is no such device.
  memory_statistics memory(device d = cpu(),
                           std::source_location call_site = std::source_location::current()) const;
  /// Gives freed memory, which all devices keep for reuse, back to the system; nodes do so, too.
  void trim_memory() const noexcept;
  /// Makes tasks submitted from now on late or fail, to test how a program copes.
  /// `inject_faults({})` ends it. Late tasks can be cancelled; the destructor waits for them as for
  /// any other.
  void inject_faults(fault_plan plan);
  /// Makes the runtime call a function with the line about failures that nobody has read, instead
  /// of writing it on standard error: once it has ended, on the thread that ends it. What the
  /// function throws is ignored; an empty one is told nothing.
  void tell_failures_with(std::function<void(const std::string& line)> teller);
  /// Restarts the random number generator with this key.
  void seed(std::uint64_t key) noexcept;

  /// Returns the number of tasks submitted that have not ended; 0 for a synchronous runtime. Nearly
  /// free.
  std::uint64_t pending() const noexcept;
  /// Returns the tasks that have not ended and what each waits for, in program order. Does not wait
  /// for running tasks.
  std::vector<task_state> tasks() const;
  /// Returns the actors and their message counts: the frontend, the dependency actors, the lanes;
  /// empty for a synchronous runtime. Sends no messages.
  std::vector<actor_state> actors() const;

  /// Returns the events since a point in time. Waits for the tasks that are running.
  trace_log trace(ticks since = 0) const;
  /// Writes the trace in Chrome's trace format, which ui.perfetto.dev opens. The file is there
  /// whole or not at all: throws with the reason if it cannot be written, and an older one stays.
  void save_trace(const std::string& path, ticks since = 0,
                  std::source_location call_site = std::source_location::current()) const;
  /// Measures how much ran at the same time since a point in time.
  overlap_report overlap(ticks since = 0) const;
  /// Adds up the time of each operation since a point in time, of what the trace has kept: see
  /// `runtime_options::trace_events`. Costs nothing until it is called.
  profile_report profile(ticks since = 0) const;

  troupe::engine& engine() const noexcept { return *engine_; }

 private:
  friend caf::actor frontend_of(const runtime& rt);

  runtime_options options_;
  std::unique_ptr<troupe::engine> engine_;
  mutable std::once_flag asked_;
  mutable std::unique_ptr<reception> reception_;  ///< for actors of other systems, once asked for
};

}  // namespace troupe
