// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <source_location>
#include <string>

#include "troupe/tasks/error.hpp"

namespace troupe {

/// Scope in which operations that this thread calls have a priority, from -128 to 127; outside of
/// any, it is 0. Of the tasks that could run, those of a higher priority go first, no matter which
/// thread they come from. Throws troupe::error for other priorities.
class with_priority {
 public:
  explicit with_priority(int priority, std::source_location where = std::source_location::current())
      : before_(current_) {
    if (priority < INT8_MIN || priority > INT8_MAX)
      throw error("with_priority: " + std::to_string(priority) + " is not from -128 to 127", where);
    current_ = static_cast<std::int8_t>(priority);
  }
  with_priority(const with_priority&) = delete;
  with_priority& operator=(const with_priority&) = delete;
  ~with_priority() { current_ = before_; }

  /// Returns the priority of tasks that this thread submits now.
  static std::int8_t current() noexcept { return current_; }

 private:
  static inline thread_local constinit std::int8_t current_ = 0;
  std::int8_t before_;
};

}  // namespace troupe
