// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/tasks/task_state.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

class session;

/// How far one of all tasks is, in words: "running on cpu:0", "queued, waits for a, matmul of input
/// 3".
std::string progress_text(const session& s, const task_state& t,
                          const std::vector<task_state>& all);

/// What is pending, and the first of it that runs: "3 tasks, first a".
std::string pending_text(session& s);

/// What a task is called: the variable that names its result and the operation: "a", "matmul of
/// input 3".
std::string task_name(const session& s, const task_state& t);

/// Why an array failed, and from which input.
std::string failure_text(const tensor& failed);

}  // namespace troupe::shell
