// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Returns true if a task has operands of float16 or bfloat16 that its operation's kernels do not
/// take.
bool needs_upcast(const engine& e, const task& t);

/// Submits such a task so that it runs in float32: tasks before it convert the inputs, tasks after
/// it convert the results.
void submit_upcast(engine& e, task_ptr t);

}  // namespace troupe
