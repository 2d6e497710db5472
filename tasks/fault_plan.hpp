// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace troupe {

/// Faults injected on purpose, to see how a program copes with them and to test error handling.
struct fault_plan {
  std::chrono::nanoseconds delay{};  ///< delay of a task: its lane sleeps before it runs the task
  std::string delayed = {};          ///< operation that is delayed; empty: all operations
  std::vector<std::string> failing = {};  ///< operations whose tasks fail
};

}  // namespace troupe
