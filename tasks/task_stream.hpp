// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

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
  /// Returns the reason why a task failed that the stream has got behind; empty if it has not.
  virtual std::string failure_of(std::uint64_t number) = 0;
};

}  // namespace troupe
