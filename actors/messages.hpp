// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/message.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
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

/// Frontend to dependency: order these tasks.
struct order_tasks {
  batch_ref tasks;
};

/// Dependency to lane: run these tasks, one after the other.
struct run_tasks {
  assignment_ref tasks;
};

/// Dependency to lane: destroy these tasks, which never ran and hold what a user's code captured.
struct drop_tasks {
  batch_ref tasks;
};

/// Lane to itself: go on with the tasks that are left.
struct go_on {};

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

/// Lane to dependency: the lane came to help with a task that nobody had started, and has left.
struct came_early {
  reference<shared_run> run;
  int lane;
};

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
  bool wanted = true;         ///< false: it has no use yet, and a `want` will follow
  bool point_will_do = true;  ///< of a GPU's value, its stream point is enough
};

/// Client to dependency: a thread waits for this value of yours. Dependency to dependency: the
/// value has a use now.
struct want {
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

/// Client to frontend: give this answer when all these values are ready, or the error of the first
/// of them that fails. Travels from one dependency actor to the next.
struct await_values {
  std::vector<value_ref> values;
  caf::message answer;
  std::source_location call_site = {};
};

/// Client to frontend: answer nothing when everything submitted so far has ended, or the first
/// failure, as `runtime::wait_all` throws it.
struct await_everything {};

/// Engine to frontend: answer `all_done` when everything submitted so far has ended.
struct await_all {};

/// Frontend to engine: failures since the last answer.
struct all_done {
  std::vector<failure_ptr> failures;
  std::uint64_t not_kept = 0;  ///< further failures that were dropped because there were too many
};

/// Client to frontend, frontend to dependency: fail all tasks that have not started. The frontend
/// answers once it has passed this on.
struct cancel_tasks {};

/// Client to frontend, frontend to dependency: fail the task of this value unless it has started,
/// and those before it that nothing else needs. Dependency to dependency: the same, if nothing else
/// needs the value; tasks that read it were cancelled.
struct cancel_value {
  value_ref value;
  bool only_if_unneeded = false;
};

/// Dependency to a lane: tasks that it has put on its stream are to be cancelled.
struct look_for_cancelled {};

/// Scheduler to the dependency actor of timed tasks: a deadline is over.
struct deadline_over {};

/// Device memory to dependency: memory was freed. Dependency to dependency: look again, since what
/// comes first in program order has changed, or is asked for. Control thread to dependency: look
/// again, since a lane may be overdue. Lane to dependency: look again, since a task has started for
/// which helpers came early.
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
  /// Names of lanes on another machine: the lane -1 of an event is the first of them.
  std::vector<std::string> lanes_elsewhere;
};

}  // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::peers)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::tasks_submitted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::drop_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::go_on)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::order_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::run_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::help_run)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::came_early)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::work_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::tasks_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::watch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::want)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::await_point)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::value_resolved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::await_values)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::await_everything)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::await_all)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::all_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::cancel_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::cancel_value)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::look_for_cancelled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::deadline_over)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::memory_freed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::progress)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::list_tasks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::task_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::read_trace)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::trace_part)
