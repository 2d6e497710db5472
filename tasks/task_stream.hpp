// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// When tasks ran on another machine, by the clock of this one.
struct remote_runs {
  struct run {
    std::uint64_t sequence = 0;  ///< the task's, here
    ticks started = 0, ended = 0;
    float share = 1;  ///< fraction of the task that ran on this lane
    std::uint16_t lane = 0;
    bool failed = false;
  };
  std::vector<std::string> lanes;  ///< names of that machine's lanes
  std::vector<run> runs;
};

/// A stream of a device on another machine: that machine chooses the kernels, and takes the memory
/// that outputs here have only addresses of.
class task_stream : public stream {
 public:
  task_stream* for_tasks() noexcept final { return this; }
  /// Puts a task on the stream and returns its number. Its outputs have their addresses. Throws
  /// std::exception if it means something in this process only.
  virtual std::uint64_t put(const task& t) = 0;
  /// Makes a value of the other machine from a value here, whose bytes begin at `first`. Holds the
  /// latter for as long as they may be needed again.
  virtual void store(void* to, const value_ref& from, const std::byte* first,
                     std::size_t bytes) = 0;
  /// Tells the other machine that nobody asks for these tasks any more: it need not begin them.
  virtual void cancel(std::span<const std::uint64_t> tasks) = 0;
  /// Returns the reason why a task failed that the stream has got behind; empty if it has not.
  virtual std::string failure_of(std::uint64_t number) = 0;
  /// Asks when tasks ran that began since a point in time. Returns none if that machine does not
  /// answer in five seconds.
  virtual remote_runs runs_since(ticks since) = 0;
};

}  // namespace troupe
