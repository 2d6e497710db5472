// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/tasks/task_state.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

class session;

/// Returns the progress of one of all tasks, in words: "running on cpu:0", "queued, waits for a,
/// matmul of input 3".
std::string progress_text(const session& s, const task_state& t,
                          const std::vector<task_state>& all);

/// Returns the number of pending tasks, and the first of them that runs: "3 tasks, first a".
std::string pending_text(session& s);

/// Returns a task's name, by the variable that names its result or by the operation: "a", "matmul
/// of input 3".
std::string task_name(const session& s, const task_state& t);

/// Why an array failed, and from which input.
std::string failure_text(const tensor& failed);

}  // namespace troupe::shell
