// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Adds a whole tensor to a task's inputs; the second form broadcasts it to `to`, which must be
/// possible.
void add_input(task& t, const tensor& x);
void add_input(task& t, const tensor& x, const shape& to);
/// Adds a number, given by its bytes, that stands for a tensor of the output's shape filled with
/// it.
void add_input(task& t, dtype element, std::uint64_t bytes);

/// Completes a task that has all its inputs with its output, kernel, cost and, unless set,
/// estimate, and submits it. Returns the output. Throws troupe::error if the operation has no
/// kernel for these dtypes.
tensor launch(engine& e, task_ptr t, const shape& dims, dtype element);
/// Does the same. The type's device is the task's.
tensor launch(engine& e, task_ptr t, const tensor_type& output);
/// Does the same for several outputs.
std::vector<tensor> launch(engine& e, task_ptr t, std::span<const tensor_type> outputs);
/// Do the two halves of `launch`, for callers that use the outputs before the task may run.
std::vector<tensor> add_outputs(const engine& e, task& t, std::span<const tensor_type> outputs);
void submit(engine& e, task_ptr t);

}  // namespace troupe
