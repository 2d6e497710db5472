// SPDX-License-Identifier: MIT
#include "troupe/actors/gpu_lane.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <caf/send.hpp>

#include "troupe/actors/cancel_queued.hpp"
#include "troupe/tasks/bookkeeping.hpp"
#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/fault_injector.hpp"
#include "troupe/tasks/spin.hpp"
#include "troupe/tasks/task_stream.hpp"

namespace troupe {

namespace {

// Estimate in nanoseconds above which a task gets a mark of its own: its own time is traced and its
// end reported without delay.
constexpr float worth_a_mark = 50'000;
constexpr std::size_t tasks_per_mark = 64;
constexpr ticks worth_spinning = 100'000;  // 30 to 50 microseconds
// Estimate in nanoseconds above which another machine's task will hardly end meanwhile.
constexpr float long_elsewhere = 200'000;

/// Puts runs of tasks on another machine in place of what is known of them here.
void tell_runs_elsewhere(trace_part& to, remote_runs known) {
  std::ranges::sort(known.runs, {}, &remote_runs::run::sequence);
  std::vector<task_event> events;
  for (const auto& e : to.events) {
    const auto runs =
        std::ranges::equal_range(known.runs, e.sequence, {}, &remote_runs::run::sequence);
    for (const auto& one : runs) {
      auto& there = events.emplace_back(e);
      there.started = one.started;
      there.ended = one.ended;
      there.share = one.share;
      there.failed = one.failed;
      there.lane = static_cast<std::int16_t>(-1 - one.lane);
    }
    if (runs.empty()) events.push_back(e);
  }
  to.events = std::move(events);
  to.lanes_elsewhere = std::move(known.lanes);
}

}  // namespace

gpu_lane::gpu_lane(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
                   std::shared_ptr<driver> device, int index)
    : counted_actor(config, std::move(shared), actor_counters::kind::lane,
                    to_string(device->id()) + " lane " + std::to_string(index)),
      device_(std::move(device)),
      index_(index),
      report_(*this, number, *shared_),
      watch_([to = notified_] {
        const bookkeeping books;
        std::lock_guard lock(to->mutex);
        if (to->actor) caf::anon_send(to->actor, work_ended{});
      }) {}

caf::behavior gpu_lane::make_behavior() {
  try {
    stream_ = device_->open_stream();
    if (device_->lanes() == 1 && !stream_->for_tasks()) values_.emplace(*device_->memory());
  } catch (const std::exception& e) { lose(e.what()); }
  notified_->actor = caf::actor_cast<caf::actor>(this);
  return {
      [this](run_tasks& m) {
        report_.begin(current_sender());
        const auto tasks = m.tasks->take();
        while (auto t = tasks->pop_front()) put_on_stream(std::move(t));
        // Tasks that have arrived meanwhile may share a mark with these.
        if (mailbox().empty()) leave_mark();
        spin_for_completions();
      },
      [this](await_point& m) {
        leave_mark();
        give_point(std::move(m.value), m.whom);
        spin_for_completions();
      },
      [this](work_ended) {
        leave_mark();
        news_to_come_ = false;
        spin_for_completions();
      },
      [this](look_for_cancelled) {
        leave_mark();
        cancel_launched();
        spin_for_completions();
      },
      [this](const drop_tasks&) {
        leave_mark();
        spin_for_completions();
      },
      [this](const read_trace& wanted) {
        leave_mark();
        auto told = trace(wanted.since);
        spin_for_completions();
        return told;
      },
  };
}

void gpu_lane::on_exit() {
  std::lock_guard lock(notified_->mutex);
  notified_->actor = nullptr;
}

void gpu_lane::put_on_stream(task_ptr t) {
  report_.before(*t);
  sleep_if_late(*t, &shared_->cancelled_through);
  note_start();
  if (dismissed(*t)) return report_.ended(std::move(t));
  auto one = std::make_unique<launched>(std::move(t));
  if (!start(*one)) return report_.ended(std::move(one->task));
  const bool large = one->task->estimate > worth_a_mark;
  launched_.push_back(std::move(one));
  if (++unmarked_ < tasks_per_mark && !large) return;
  leave_mark();
  collect();
}

/// Puts a task on the stream. If memory is short, it waits for earlier tasks to give theirs back.
/// Returns false if the task has failed.
bool gpu_lane::start(launched& one) {
  using started = gpu_execution::started;
  for (;;) {
    const auto so_far =
        one.run.start(*device_, *stream_, values_ ? &*values_ : nullptr, launched_.empty());
    if (so_far == started::on_stream && values_) values_->add(*one.task);
    if (so_far != started::no_memory) return so_far == started::on_stream;
    leave_mark();
    await_oldest();
    if (dismissed(*one.task)) return false;
  }
}

/// Records a start point: on an idle stream, work starts about when it is put there.
void gpu_lane::note_start() {
  if (!launched_.empty() || !lost_.empty()) return;
  try {
    last_ = {stream_->record(), troupe::now()};
  } catch (const std::exception& e) { lose(e.what()); }
}

/// Returns true, and fails the task, if it was cancelled or the GPU is lost.
bool gpu_lane::dismissed(task& t) const {
  if (shared_->dismisses(t)) t.fail("cancelled", failure::reason::cancelled);
  else if (!lost_.empty()) t.fail(lost_);
  else return false;
  return true;
}

/// Ends tasks that another machine was sent and that are to be cancelled, and those that fail
/// because of these, though their turn has not come.
void gpu_lane::cancel_launched() {
  auto* const far = stream_ ? stream_->for_tasks() : nullptr;
  if (!far) return;
  collect();
  try {
    std::vector<task*> queue;
    for (const auto& one : launched_) {
      if (one->task) queue.push_back(one->task.get());
    }
    fail_cancelled(queue, [this](const task& t) { return shared_->dismisses(t); });
    std::vector<std::uint64_t> cancelled;
    for (const auto& one : launched_) {
      if (!one->task || !(one->task->failed || one->run.fails_now())) continue;
      if (const auto number = one->run.end_early()) cancelled.push_back(*number);
      report_.ended(std::move(one->task));
    }
    far->cancel(cancelled);
  } catch (const std::exception&) {}  // they go on
  report_.send();
}

void gpu_lane::leave_mark() {
  if (unmarked_ == 0) return;
  try {
    marks_.push_back({stream_->record(), unmarked_});
    unmarked_ = 0;
  } catch (const std::exception& e) { lose(e.what()); }
}

/// Gives a value its stream point and notifies `whom`. The task was put on the stream before this
/// request, unless it has ended.
void gpu_lane::give_point(value_ref v, const caf::actor& whom) {
  if (v->pending() && !v->point()) {
    try {
      v->set_point(point_behind(v->sequence));
    } catch (const std::bad_alloc&) {  // no memory for a point: wait for the value itself
      while (v->pending()) await_oldest();
    }
  }
  send(whom, value_resolved{std::move(v)});
}

/// Returns the first mark behind a task on the stream.
std::shared_ptr<const event> gpu_lane::point_behind(std::uint64_t task) const {
  auto last = launched_.rbegin();
  for (auto m = marks_.rbegin(); m != marks_.rend(); ++m) {
    for (std::size_t i = 0; i < m->tasks; ++i, ++last) {
      if ((*last)->event.sequence == task) return m->point;
    }
  }
  return nullptr;
}

/// Settles the tasks that the GPU has finished.
void gpu_lane::collect() {
  try {
    while (!marks_.empty() && marks_.front().point->reached()) {
      auto first = std::move(marks_.front());
      marks_.pop_front();
      settle_behind(std::move(first));
    }
  } catch (const std::exception& e) { lose(e.what()); }
}

/// Settles tasks as the GPU finishes them, until a message arrives, behind which this is called
/// again, or nothing happens for a while; then the watch thread takes over.
void gpu_lane::spin_for_completions() {
  const bool long_way = !marks_.empty() && lost_.empty() && stream_->for_tasks() &&
                        launched_.front()->estimate > long_elsewhere;
  for (spin idle(scheduler() && !long_way ? worth_spinning : 0); !marks_.empty();) {
    const auto before = marks_.size();
    collect();
    report_.send();
    if (!mailbox().empty()) return;
    if (marks_.size() < before) idle.restart();
    else if (!idle.pause()) break;
  }
  if (scheduler()) scheduler()->about_to_look();
  report_.send();
  if (marks_.empty()) return;
  if (!std::exchange(news_to_come_, true)) watch_.look_at(marks_.front().point);
}

void gpu_lane::await_oldest() {
  try {
    if (!marks_.empty()) marks_.front().point->wait();
  } catch (const std::exception& e) { lose(e.what()); }
  collect();
}

/// Settles the tasks before a mark. The GPU reports a time only for each mark; tasks between two
/// marks share that time in proportion to their estimates.
void gpu_lane::settle_behind(mark m) {
  const auto seconds = m.point->seconds_since(*last_.point);
  const auto noticed = troupe::now();
  const auto until = seconds < 0 ? noticed : std::min(noticed, last_.when + ticks_in(seconds));
  double all = 0, so_far = 0;
  for (std::size_t i = 0; i < m.tasks; ++i) all += launched_[i]->estimate;
  auto since = std::min(until, last_.when);
  const auto time = static_cast<double>(until - since);
  for (std::size_t i = 0; i < m.tasks; ++i) {
    so_far += launched_.front()->estimate;
    const auto end = until - static_cast<ticks>(time * std::max(0., 1 - so_far / all));
    settle_first({}, since, end);
    since = end;
  }
  last_ = {std::move(m.point), until};
}

void gpu_lane::settle_first(std::string_view failure, ticks since, ticks until) {
  const auto one = std::move(launched_.front());
  launched_.pop_front();
  if (values_ && one->task) values_->remove(*one->task);
  if (failure.empty()) one->run.settle();
  else one->run.settle(failure);
  if (!one->task) return;
  report_.ran_aside(one->event, since, until, one->task->origin != nullptr);
  report_.ended(std::move(one->task));
}

trace_part gpu_lane::trace(ticks since) const {
  auto out = report_.trace(since);
  auto* const far = stream_ && !out.events.empty() ? stream_->for_tasks() : nullptr;
  if (far) tell_runs_elsewhere(out, far->runs_since(since));
  return out;
}

/// Fails all tasks on the stream: the GPU has failed and they will never end.
void gpu_lane::lose(std::string_view why) {
  lost_ = to_string(device_->id()) + " is lost: ";
  lost_ += why;
  marks_.clear();
  unmarked_ = 0;
  const auto when = troupe::now();
  while (!launched_.empty()) settle_first(lost_, when, when);
}

}  // namespace troupe
