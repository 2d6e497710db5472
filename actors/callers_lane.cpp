// SPDX-License-Identifier: MIT
#include "troupe/actors/callers_lane.hpp"

#include <algorithm>
#include <new>

#include "troupe/actors/default_float_environment.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/execution.hpp"

namespace troupe {

bool callers_lane::takes(const task& t) noexcept {
  if (!t.device.traits().synchronous || !t.op->samples || t.op->timed || t.injected.late ||
      t.budget)
    return false;
  return std::ranges::none_of(t.inputs, [](const operand& in) {
    return in.source && (in.source->pending() || !in.source->device.traits().synchronous);
  });
}

task_event callers_lane::run(task& t, driver& where) noexcept {
  const default_float_environment usual;
  t.became_ready = now();
  auto event = describe(t);
  event.started = t.became_ready;
  if (t.op->transfer) {
    try {
      event.ended = transfer(t, where, *where.open_stream());
    } catch (...) {
      fail_with_current_exception(t);
      event.ended = now();
    }
  } else {
    execution run(t, where);
    run.run();
    event.ended = run.ended();
  }
  event.failed = t.origin != nullptr;
  event.lane = number_;
  if (traces_) {
    std::lock_guard lock(mutex_);
    const working_scope does_not_wait;  // for memory, as the program's own threads cannot
    try {
      ring_.add(event);
    } catch (const std::bad_alloc&) {}
  }
  return event;
}

trace_part callers_lane::trace(ticks since) const {
  trace_part part;
  std::lock_guard lock(mutex_);
  ring_.copy_to(part.events, since);
  part.partial = ring_.lost_any(since);
  return part;
}

}  // namespace troupe
