// SPDX-License-Identifier: MIT
#pragma once

#include <caf/event_based_actor.hpp>
#include <utility>

#include "troupe/actors/engine_state.hpp"
#include "troupe/actors/messages.hpp"

namespace troupe {

/// Estimate, in nanoseconds, of a task before which control gets its turn.
inline constexpr float long_task = 20'000;

/// Reports of a lane: ended tasks to the dependency actor, in batches; run times to the trace; the
/// current task to any thread.
class lane_report {
 public:
  lane_report(caf::event_based_actor& self, int number, engine_state& shared);

  /// Notes the actor that sent work; reports go to it.
  void begin(caf::strong_actor_ptr from);
  /// Prepares for the start of a task. Before a long one, earlier ends are reported.
  void before(const task& t);
  /// Notes that the lane takes part in a task, until `rest`.
  void take_part(std::uint64_t sequence) noexcept { status_.begin(sequence, time_); }
  void rest() noexcept { status_.rest(); }
  /// Notes that the lane begins to compute after a wait.
  void resume(ticks at = now()) noexcept { time_ = at; }
  /// Returns the start time of the current task.
  ticks time() const noexcept { return time_; }
  /// Records that the lane computed a task until `until`.
  void ran(task_event& event, ticks until, bool failed);
  /// Records that a device, which the lane does not wait for, computed a task from `since` until
  /// `until`.
  void ran_aside(task_event& event, ticks since, ticks until, bool failed);
  /// Adds an ended task to the batch.
  void ended(task_ptr t);
  /// Reports the tasks that ended since the last report.
  void send();
  /// Sends a message to the dependency actor.
  template <class Message>
  void tell(Message&& message) {
    self_.send(to_, std::forward<Message>(message));
  }

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
  /// Longest time for which ended tasks are kept back to be reported together.
  ticks most_delay_;
};

}  // namespace troupe
