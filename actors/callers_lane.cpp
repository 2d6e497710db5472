// SPDX-License-Identifier: MIT
#include "troupe/actors/callers_lane.hpp"

#include <algorithm>
#include <new>

#include "troupe/tasks/default_float_environment.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/spin.hpp"
#include "troupe/tasks/turn.hpp"

namespace troupe {

bool callers_lane::takes(const task& t) noexcept {
  if (!t.device.traits().synchronous || t.op->lanes_only() || t.op->timed || t.injected.late ||
      t.budget)
    return false;
  return std::ranges::none_of(t.inputs, [](const operand& in) {
    return in.source && (in.source->pending() || !in.source->device.traits().synchronous);
  });
}

task_event callers_lane::run(task& t, driver& where, bool jointly) noexcept {
  const default_float_environment usual;
  auto event = describe(t);
  event.started = event.became_ready;
  if (t.op->transfer) {
    try {
      event.ended = transfer(t, where, *where.open_stream());
    } catch (...) {
      fail_with_current_exception(t);
      event.ended = now();
    }
  } else if (!jointly || !joint_.run(t, where, event)) {
    execution run(t, where, event.started);
    run.run();
    event.ended = run.ended();
  }
  event.failed = t.origin != nullptr;
  event.lane = number_;
  if (event.share > 0) add_to_trace(event);
  return event;
}

bool callers_lane::help(const driver& on, int lane) noexcept {
  auto event = joint_.join(on);
  if (!event) return false;
  event->lane = static_cast<std::int16_t>(lane);
  add_to_trace(*event);
  return true;
}

void callers_lane::add_to_trace(const task_event& event) noexcept {
  if (!traces_) return;
  const turn mine(taken_);
  const working_scope does_not_wait;  // for memory, as the program's own threads cannot
  try {
    ring_.add(event);
  } catch (const std::bad_alloc&) {}
}

trace_part callers_lane::trace(ticks since) const {
  trace_part part;
  const turn mine(taken_);
  ring_.copy_to(part.events, since);
  part.partial = ring_.lost_any(since);
  return part;
}

}  // namespace troupe
