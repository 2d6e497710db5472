// SPDX-License-Identifier: MIT
#pragma once

#include <caf/event_based_actor.hpp>

#include "troupe/actors/engine_state.hpp"
#include "troupe/actors/messages.hpp"

namespace troupe {

/// What a lane has to tell: to the dependency actor which tasks have ended, in batches, to the
/// trace what ran when, and to anybody what it is at.
class lane_report {
 public:
  lane_report(caf::event_based_actor& self, int number, engine_state& shared);

  /// Work has come from this actor, which will be told.
  void begin(caf::strong_actor_ptr from);
  /// A task is about to start. Before a long one, what has ended is told first.
  void before(const task& t);
  /// The lane takes part in a task, until `rest`.
  void take_part(std::uint64_t sequence) noexcept { status_.begin(sequence); }
  void rest() noexcept { status_.rest(); }
  /// The lane begins to compute, after it waited for something.
  void resume(ticks at = now()) noexcept { time_ = at; }
  /// When the task at hand started.
  ticks time() const noexcept { return time_; }
  /// The lane computed something until then.
  void ran(task_event& event, ticks until, bool failed);
  /// A device that the lane does not wait for computed something from `since` until `until`.
  void ran_aside(task_event& event, ticks since, ticks until, bool failed);
  /// A task has ended.
  void ended(task_ptr t);
  /// Tells what has ended since the last time.
  void send();

  trace_part trace(ticks since) const;

 private:
  caf::event_based_actor& self_;
  caf::actor to_;
  batch_ref done_;
  ticks time_ = 0;
  ticks last_sent_ = 0;
  std::int16_t number_;
  trace_ring ring_;
  lane_status& status_;
  ticks most_delay_;  ///< that ended tasks are kept back for, to be told of together
};

}  // namespace troupe
