// SPDX-License-Identifier: MIT
#include "troupe/actors/lane_report.hpp"

#include <utility>

namespace troupe {

namespace {

constexpr std::size_t most_together = 128;
constexpr ticks usual_delay = 100'000;  // 30 to 50 microseconds
constexpr ticks no_clock = ~ticks{0};

}  // namespace

lane_report::lane_report(caf::event_based_actor& self, int number, engine_state& shared)
    : self_(self),
      number_(static_cast<std::int16_t>(number)),
      ring_(shared.trace_capacity),
      status_(shared.statuses[static_cast<std::size_t>(number)]),
      // Stepped actors have no scheduler, and their messages must not depend on the clock.
      most_delay_(shared.scheduler ? usual_delay : no_clock) {}

void lane_report::begin(caf::strong_actor_ptr from) {
  to_ = caf::actor_cast<caf::actor>(std::move(from));
  time_ = last_sent_ = now();
}

void lane_report::before(const task& t) {
  take_part(t.sequence);
  if (t.estimate >= long_task) {
    const bool told = static_cast<bool>(done_);
    send();
    if (told) resume();
  }
}

void lane_report::ran(task_event& event, ticks until, bool failed) {
  ran_aside(event, time_, until, failed);
  time_ = until;
}

void lane_report::ran_aside(task_event& event, ticks since, ticks until, bool failed) {
  event.started = since;
  event.ended = until;
  event.lane = number_;
  event.failed = failed;
  ring_.add(event);
}

void lane_report::ended(task_ptr t) {
  rest();
  if (!done_) done_ = batch_ref(new batch);
  done_->push_back(std::move(t));
  if (done_->size() >= most_together || time_ - last_sent_ > most_delay_) send();
}

void lane_report::send() {
  if (!done_) return;
  last_sent_ = time_;
  self_.send(to_, tasks_done{std::exchange(done_, nullptr)});
}

trace_part lane_report::trace(ticks since) const {
  trace_part part;
  ring_.copy_to(part.events, since);
  part.partial = ring_.lost_any(since);
  return part;
}

}  // namespace troupe
