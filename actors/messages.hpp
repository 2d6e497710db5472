// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "troupe/actors/batch.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/tasks/task_state.hpp"
#include "troupe/tasks/trace.hpp"

// What the actors say to each other. All of it stays within one process.

namespace troupe {

/// To each dependency actor, once, before anything else: whom it works with.
struct peers {
  caf::actor frontend;
  std::vector<caf::actor> dependencies;  ///< by the number that values have as their home
};

/// Client to frontend: there are tasks in your inbox.
struct tasks_submitted {};

/// Client to a lane, when all were asleep: there will be work in a moment.
struct work_coming {};

/// Frontend to dependency: put these tasks in order.
struct order_tasks {
  batch_ref tasks;
};

/// Dependency to lane: run these tasks, one after the other.
struct run_tasks {
  batch_ref tasks;
};

/// Dependency to lane: take a share of what other lanes run.
struct help_run {
  std::vector<reference<shared_run>> runs;
};

/// A GPU's watch to its lane: the GPU has got to a mark, or has failed.
struct work_ended {};

/// Lane to dependency: these tasks have ended.
struct tasks_done {
  batch_ref tasks;
};

/// Dependency to dependency: tell me when this value of yours is there. Answered by
/// `value_resolved`.
struct watch {
  value_ref value;
};

/// Dependency to a GPU's lane, behind its task: tell `whom`, with `value_resolved`, that this value
/// has its point.
struct await_point {
  value_ref value;
  caf::actor whom;
};

/// Dependency to dependency: it is there, or failed. A GPU's lane to dependency: or it has its
/// point.
struct value_resolved {
  value_ref value;
};

/// Client to frontend: answer `value_resolved` when this value is there, or an error if it fails.
struct await_value {
  value_ref value;
};

/// Client to frontend: answer `all_done` when everything submitted so far has ended.
struct await_all {};

/// Frontend to client: these failures came up since the last time.
struct all_done {
  std::vector<failure_ptr> failures;
  std::uint64_t not_kept = 0;  ///< how many more, when there were very many
};

/// Client to frontend, frontend to dependency: fail what has not started. The frontend answers once
/// it has passed it on.
struct cancel_tasks {};

/// Device memory to dependency: something was freed. Dependency to dependency: nothing is in flight
/// that might be.
struct memory_freed {};

/// Dependency to frontend: so many tasks of each epoch have ended.
struct progress {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> ended;
  std::vector<failure_ptr> failures;
};

/// Client to frontend: answer when you have passed on what is in your inbox. Client to dependency:
/// answer `task_list`.
struct list_tasks {};

struct task_list {
  std::vector<task_state> tasks;
};

/// Client to lane and frontend: answer `trace_part`, what you recorded since then.
struct read_trace {
  ticks since = 0;
};

struct trace_part {
  std::vector<task_event> events;
  std::vector<counter_sample> counters;
  bool partial = false;  ///< there was more
};

}  // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::peers)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::tasks_submitted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::work_coming)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::order_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::run_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::help_run)
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
