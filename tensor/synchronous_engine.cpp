// SPDX-License-Identifier: MIT
#include "troupe/tensor/synchronous_engine.hpp"

#include <utility>

#include "troupe/tensor/execution.hpp"
#include "troupe/tensor/failures.hpp"

namespace troupe {

synchronous_engine::synchronous_engine(drivers devices, std::size_t trace_capacity)
    : engine(std::move(devices)), ring_(trace_capacity) {}

synchronous_engine::~synchronous_engine() { retire(); }

void synchronous_engine::submit(task_ptr t) {
  {
    std::lock_guard lock(mutex_);
    t->sequence = ++last_sequence_;
  }
  for (auto& out : t->outputs) out->sequence = t->sequence;
  auto& place = at(t->place, t->op->name, t->where);
  t->submitted = t->became_ready = now();
  auto event = describe(*t);
  event.started = t->submitted;
  sleep_if_late(*t);
  if (t->op->transfer) {
    const auto lane = place.open_stream();
    transfer(*t, place, *lane);
  } else {
    execution(*t, place).run();
  }
  event.ended = now();
  event.failed = t->origin != nullptr;
  std::lock_guard lock(mutex_);
  if (t->origin) failures_.push_back(std::move(t->origin));
  ring_.add(event);
}

bool synchronous_engine::wait(const value_ref& v, deadline) { return !v->pending(); }

void synchronous_engine::wait_all() {
  refuse_while_working("wait_all");
  std::vector<failure_ptr> failures;
  {
    std::lock_guard lock(mutex_);
    failures.swap(failures_);
  }
  raise_first(failures);
}

trace_log synchronous_engine::trace(ticks since) {
  refuse_while_working("trace");
  trace_log log;
  log.lanes = {"caller"};
  std::lock_guard lock(mutex_);
  ring_.copy_to(log.events, since);
  log.partial = ring_.lost_any(since);
  return log;
}

}  // namespace troupe
