// SPDX-License-Identifier: MIT
#include "troupe/tasks/synchronous_engine.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "troupe/tasks/deadline.hpp"
#include "troupe/tasks/default_float_environment.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/gpu_execution.hpp"

namespace troupe {

namespace {

void run_on_stream(task& t, driver& place, stream& on) {
  gpu_execution run(t);
  if (run.start(place, on) == gpu_execution::started::failed) return;
  try {
    on.record()->wait();
    run.settle();
  } catch (const std::exception& e) { run.settle(e.what()); }
}

}  // namespace

synchronous_engine::synchronous_engine(drivers devices, std::size_t trace_capacity)
    : engine(std::move(devices)), ring_(trace_capacity) {
  const auto at_once = [](const auto& one) { return one->id().traits().synchronous; };
  if (!std::ranges::all_of(engine::devices(), at_once)) bind_to_process();
}

synchronous_engine::~synchronous_engine() {
  if (stayed_behind()) {
    // Their locks may be held by threads that are not here.
    for (auto& one : streams_) (void)one.second.release();
    new (std::nothrow) drivers(engine::devices());
    return;
  }
  retire();
  auto [failures, not_kept] = failures_.take();
  tell_unread(std::move(failures), not_kept);
}

void synchronous_engine::submit(task_ptr t) {
  {
    std::lock_guard lock(mutex_);
    t->sequence = ++last_sequence_;
  }
  for (auto& out : t->outputs) out->sequence = t->sequence;
  t->submitted = t->became_ready = now();
  auto event = describe(*t);
  event.started = t->submitted;
  sleep_if_late(*t);
  {
    const default_float_environment usual;
    run(*t);
  }
  event.ended = now();
  event.failed = t->origin != nullptr;
  std::lock_guard lock(mutex_);
  if (t->origin) failures_.add(std::move(t->origin));
  ring_.add(event);
}

void synchronous_engine::run(task& t) {
  if (t.op->timed) return share_input(t);
  auto& place = at(t.device, t.op->name, t.call_site);
  const auto by = t.op->transfer ? way_between(t.inputs[0].source->device, t.device) : t.device;
  if (!by.traits().synchronous) return run_with(at(by, t.op->name, t.call_site), t);
  if (t.op->transfer) transfer(t, place, *place.open_stream());
  else execution(t, place).run();
}

void synchronous_engine::run_with(driver& by, task& t) {
  std::lock_guard lock(streams_mutex_);
  try {
    by.enter(driver::no_lane);
    auto& on = streams_[&by];
    if (!on) on = by.open_stream();
    if (t.op->transfer) transfer(t, at(t.device, t.op->name, t.call_site), *on);
    else run_on_stream(t, by, *on);
  } catch (...) { fail_with_current_exception(t); }
}

bool synchronous_engine::wait(const value_ref& v, const wait_limit&) { return !v->pending(); }

void synchronous_engine::wait_all() {
  refuse_while_working("wait_all");
  refuse_if_stayed_behind("wait_all");
  kept_failures::list all;
  {
    std::lock_guard lock(mutex_);
    all = failures_.take();
  }
  raise_first(all.failures, all.not_kept);
}

trace_log synchronous_engine::trace(ticks since) {
  refuse_while_working("trace");
  refuse_if_stayed_behind("trace");
  trace_log log;
  log.lanes = {"caller"};
  std::lock_guard lock(mutex_);
  ring_.copy_to(log.events, since);
  log.partial = ring_.lost_any(since);
  return log;
}

}  // namespace troupe
