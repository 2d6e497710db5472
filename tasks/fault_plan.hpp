// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace troupe {

/// What is to go wrong on purpose: to see how a program behaves then, and to test how it takes
/// errors.
struct fault_plan {
  std::chrono::nanoseconds delay{};  ///< that a task is late by: its lane sleeps before it runs it
  std::string delayed = {};          ///< the operation that is late; empty: every one
  std::vector<std::string> failing = {};  ///< the operations whose tasks fail
};

}  // namespace troupe
