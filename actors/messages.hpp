// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "troupe/actors/assignment.hpp"
#include "troupe/actors/batch.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/tasks/task_state.hpp"
#include "troupe/tasks/trace.hpp"

// Messages between actors. All of them stay within one process.

namespace troupe {

/// To each dependency actor, once, before anything else: the actors that it works with.
struct peers {
  caf::actor frontend;
  std::vector<caf::actor> dependencies;  ///< by the number that values name as their home
};

/// Client to frontend: the inbox has tasks.
struct tasks_submitted {};

/// Client to a lane, when all actors were asleep: work will come in a moment.
struct work_coming {};

/// Frontend to dependency: order these tasks.
struct order_tasks {
  batch_ref tasks;
};

/// Dependency to lane: run these tasks, one after the other.
struct run_tasks {
  assignment_ref tasks;
};

/// Tasks that lanes share, and the lanes that are asked to help.
struct help_plan {
  std::vector<reference<shared_run>> runs;
  std::vector<caf::actor> helpers;
};

/// Dependency to lane, lane to lane: pass this on, then take a share of tasks that other lanes run.
struct help_run {
  std::shared_ptr<const help_plan> plan;
  std::size_t place;  ///< of the lane that receives it; see help.hpp
};

/// A dependency actor to itself, after a while: look for lanes that are overdue.
struct look_again {};

/// A GPU's watch to its lane: the GPU has reached a mark, or has failed.
struct work_ended {};

/// Lane to dependency: these tasks have ended.
struct tasks_done {
  batch_ref tasks;
};

/// Dependency to dependency: tell me when this value of yours has settled. Answered by
/// `value_resolved`.
struct watch {
  value_ref value;
};

/// Dependency to a GPU's lane, after the task itself: send `value_resolved` to `whom` once this
/// value has its stream point.
struct await_point {
  value_ref value;
  caf::actor whom;
};

/// Dependency to dependency: the value is ready or failed. A GPU's lane to dependency: the same, or
/// the value has its stream point.
struct value_resolved {
  value_ref value;
};

/// Client to frontend: answer `value_resolved` when this value is ready, or an error if it fails.
struct await_value {
  value_ref value;
};

/// Client to frontend: answer `all_done` when everything submitted so far has ended.
struct await_all {};

/// Frontend to client: failures since the last answer.
struct all_done {
  std::vector<failure_ptr> failures;
  std::uint64_t not_kept = 0;  ///< further failures that were dropped because there were too many
};

/// Client to frontend, frontend to dependency: fail all tasks that have not started. The frontend
/// answers once it has passed this on.
struct cancel_tasks {};

/// Device memory to dependency: memory was freed. Dependency to dependency: nothing is in flight
/// that might free memory.
struct memory_freed {};

/// Dependency to frontend: number of ended tasks by epoch.
struct progress {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> ended;
  std::vector<failure_ptr> failures;
};

/// Client to frontend: answer when the inbox has been passed on. Client to dependency: answer
/// `task_list`.
struct list_tasks {};

struct task_list {
  std::vector<task_state> tasks;
};

/// Client to lane and frontend: answer `trace_part`, recorded since the given time.
struct read_trace {
  ticks since = 0;
};

struct trace_part {
  std::vector<task_event> events;
  std::vector<counter_sample> counters;
  bool partial = false;  ///< earlier events were overwritten
};

}  // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::peers)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::tasks_submitted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::work_coming)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::order_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::run_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::help_run)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::look_again)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::work_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::tasks_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::watch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::await_point)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::value_resolved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::await_value)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::await_all)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::all_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::cancel_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::memory_freed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::progress)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::list_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::task_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::read_trace)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::trace_part)
