// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/devices/device.hpp"
#include "troupe/tasks/clock.hpp"

namespace troupe {

struct file_call;

/// Work of one lane on one task. A task whose chunks several lanes shared has an event on each.
struct task_event {
  std::string_view name;       ///< name of the operation
  std::uint64_t sequence = 0;  ///< program order, from 1
  /// Sequence numbers of the tasks it depends on (the first four), 0: none.
  std::array<std::uint64_t, 4> inputs{};
  ticks submitted = 0;
  ticks became_ready = 0;
  ticks started = 0;
  ticks ended = 0;
  float bytes = 0;  ///< bytes read and written by the whole task
  float flops = 0;  ///< floating-point operations of the whole task
  float share = 1;  ///< fraction of the task that ran here
  troupe::device device;
  std::int16_t lane = 0;  ///< counts the engine's lanes from 0, copy lanes last
  bool failed = false;
  std::source_location call_site;
};

/// Sample of values that change over time, such as pending tasks.
struct counter_sample {
  ticks when = 0;
  std::uint64_t pending_tasks = 0;
  std::uint64_t live_bytes = 0;
};

/// Recent activity of an engine.
struct trace_log {
  std::vector<std::string> lanes;  ///< names of the lanes, such as "cpu:0 lane 1"
  std::vector<task_event> events;  ///< in order of their start
  std::vector<counter_sample> counters;
  bool partial = false;  ///< the earliest events were dropped
};

/// Buffer of the latest `capacity` events of one lane.
class trace_ring {
 public:
  explicit trace_ring(std::size_t capacity) : capacity_(capacity) {}
  trace_ring(const trace_ring&) = delete;
  trace_ring& operator=(const trace_ring&) = delete;

  void add(const task_event& e) {
    if (!full_ && capacity_ > 0) append(e);
    else if (full_) replace_oldest(e);
    // The next place was written long ago, and has left the caches.
    if (full_) prefetch(*oldest_);
  }
  /// Appends the events that started at or after `since`, oldest first.
  void copy_to(std::vector<task_event>& out, ticks since) const;
  /// Returns true if such events were dropped.
  bool lost_any(ticks since) const noexcept { return lost_ >= since && lost_ > 0; }

 private:
  void append(const task_event& e);
  void replace_oldest(const task_event& e) noexcept {
    lost_ = oldest_->started;
    *oldest_ = e;
    if (++oldest_ == events_.end()) oldest_ = events_.begin();
  }
  static void prefetch(const task_event& place) noexcept {
    for (std::size_t at = 0; at < sizeof place; at += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(&place) + at, 1);
  }

  std::size_t capacity_;
  bool full_ = false;
  ticks lost_ = 0;                 ///< start of the last event that was dropped
  std::deque<task_event> events_;  ///< which stay where they are
  std::deque<task_event>::iterator oldest_;
};

/// Writes a trace to a file, as Chrome's JSON ("Trace Event Format"): one track per lane, an arrow
/// for each dependency, counters for pending tasks and live bytes. Times are microseconds from the
/// first event. An older file stays where that fails. A pipe or a device is written to as it is.
/// Throws troupe::error with the reason.
void write_chrome_trace(const trace_log& log, const file_call& call);

}  // namespace troupe
