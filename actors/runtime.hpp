// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <source_location>
#include <string>

#include "troupe/actors/actor_state.hpp"
#include "troupe/actors/options.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/tasks/fault_plan.hpp"
#include "troupe/tasks/overlap.hpp"
#include "troupe/tasks/task_state.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe {

class engine;

/// Owns the actors that run tensor programs. Tensors made while it lives belong to it (see
/// `engine::current`). Its destructor finishes the work and stops the actors. Tensors may outlive
/// it: what is ready can still be read. From when the destructor begins, other threads that submit
/// are told that it has ended; none may be inside a call that uses it when it returns.
class runtime {
 public:
  /// Starts the actors. Throws troupe::error for options that are out of range.
  explicit runtime(const runtime_options& options = {});
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;
  ~runtime();

  /// Waits for everything submitted so far. Then throws the first failure in program order that
  /// nobody was told of.
  void wait_all();
  /// Has everything that has not started fail with `cancelled_error`.
  void cancel_all();

  /// The options in force, all filled in.
  const runtime_options& options() const noexcept { return options_; }
  const drivers& devices() const noexcept;
  /// Bytes live, at their peak and cached on a device. Throws if there is no such device.
  memory_statistics memory(device d = cpu(),
                           std::source_location where = std::source_location::current()) const;
  /// Has tasks submitted from now on come late or fail: to see what a program does then.
  /// `inject_faults({})` ends it. Late tasks can be cancelled; the destructor waits for them as for
  /// any other.
  void inject_faults(fault_plan d);
  /// Starts the random numbers anew.
  void seed(std::uint64_t key) noexcept;

  /// How many tasks were submitted and have not ended; 0 where each runs at once. Costs next to
  /// nothing.
  std::uint64_t pending() const noexcept;
  /// What they are and what keeps them, in program order. Does not wait for what the lanes are
  /// doing.
  std::vector<task_state> tasks() const;
  /// The actors and their messages: the frontend, the dependency actors, the lanes; empty where
  /// there are none. Asks nobody.
  std::vector<actor_state> actors() const;

  /// What ran since a point in time. Waits for what the lanes are doing.
  trace_log trace(ticks since = 0) const;
  /// Writes it in Chrome's trace format, which ui.perfetto.dev opens. Throws if the file cannot be
  /// written.
  void save_trace(const std::string& path, ticks since = 0,
                  std::source_location where = std::source_location::current()) const;
  /// How much ran at the same time since then.
  overlap_report overlap(ticks since = 0) const;

  troupe::engine& engine() const noexcept { return *engine_; }

 private:
  runtime_options options_;
  std::unique_ptr<troupe::engine> engine_;
};

}  // namespace troupe
