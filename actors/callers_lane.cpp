// SPDX-License-Identifier: MIT
#include "troupe/actors/callers_lane.hpp"

#include <algorithm>
#include <new>

#include "troupe/tasks/default_float_environment.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/spin.hpp"

namespace troupe {

namespace {

/// Scope in which the calling thread has what a flag guards, for some nanoseconds mostly: a mutex
/// would take two locked instructions instead of one.
class turn {
 public:
  explicit turn(std::atomic<bool>& taken) noexcept : taken_(taken) {
    if (taken_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      spin::until([this] { return !taken_.exchange(true, std::memory_order_acquire); });
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool>& taken_;
};

}  // namespace

bool callers_lane::takes(const task& t) noexcept {
  if (!t.device.traits().synchronous || t.op->users_own || t.op->timed || t.injected.late ||
      t.budget)
    return false;
  return std::ranges::none_of(t.inputs, [](const operand& in) {
    return in.source && (in.source->pending() || !in.source->device.traits().synchronous);
  });
}

task_event callers_lane::run(task& t, driver& where) noexcept {
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
  } else {
    execution run(t, where, event.started);
    run.run();
    event.ended = run.ended();
  }
  event.failed = t.origin != nullptr;
  event.lane = number_;
  if (traces_) {
    const turn mine(taken_);
    const working_scope does_not_wait;  // for memory, as the program's own threads cannot
    try {
      ring_.add(event);
    } catch (const std::bad_alloc&) {}
  }
  return event;
}

trace_part callers_lane::trace(ticks since) const {
  trace_part part;
  const turn mine(taken_);
  ring_.copy_to(part.events, since);
  part.partial = ring_.lost_any(since);
  return part;
}

}  // namespace troupe
