// SPDX-License-Identifier: MIT
#include "troupe/actors/lane.hpp"

#include <new>
#include <ranges>
#include <unordered_set>
#include <utility>
#include <vector>
#include "troupe/actors/clean_thread.hpp"
#include "troupe/actors/help.hpp"

#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/fault_injector.hpp"
#include "troupe/tasks/spin.hpp"

namespace troupe {

namespace {

bool inputs_pending(const task& t) noexcept {
  for (const auto& in : t.inputs) {
    if (in.source && in.source->pending()) return true;
  }
  return false;
}

// Longest time for which a helper waits for a task whose inputs are still pending: 0.4 ms. It does
// not wait at all where spinning does not pay.
constexpr ticks long_wait = 1'000'000;

// Estimates in nanoseconds.
constexpr float short_task = 2'000;         // of the user's own, if that is what they claim
constexpr float long_absence = 50'000;      // control goes to another thread meanwhile
constexpr float most_for_client = 200'000;  // the longest that a client's thread runs

/// Returns true if others should be able to take what is queued behind a task: it takes long, or it
/// is the user's own code and does not claim to be short.
bool may_take_long(const task& t) noexcept {
  return t.estimate >= (t.op->lanes_only() ? short_task : long_task);
}

/// Returns true if a client's thread may run a task while it waits for another: it is short, and it
/// is not the user's own code, which might wait for something that this client has yet to do. What
/// the client waits for itself may be long.
bool fit_for_client(const task& t) noexcept {
  return !t.op->lanes_only() && !t.injected.late &&
         (t.estimate <= most_for_client || actor_scheduler::client_waits_for(t));
}

/// Returns the time at which all that was read so far has come: alone, the clock may be read ahead
/// of that.
ticks now_after_reads() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
#endif
  return now();
}

}  // namespace

lane::lane(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
           std::shared_ptr<driver> device, int index)
    : counted_actor(config, std::move(shared), actor_counters::kind::lane,
                    to_string(device->id()) + " lane " + std::to_string(index)),
      device_(std::move(device)),
      index_(index),
      report_(*this, number, *shared_) {}

caf::behavior lane::make_behavior() {
  return {
      [this](go_on) {
        report_.resume();
        --reminders_;
        if (gathers_ && reminders_ == 0) cancel_queued();
        work();
      },
      [this](help_run& m) {
        report_.begin(current_sender());
        pass_on(m, current_sender());
        put_down();
        for (const auto& one : m.plan->runs) help(*one);
        take_up(place_ ? place_->take() : nullptr);
        if (scheduler()) scheduler()->about_to_look();
        report_.send();
      },
      [](const drop_tasks&) {},
      [this](const read_trace& wanted) { return trace(wanted.since); },
  };
}

bool lane::take(caf::type_erased_tuple& message) {
  const auto* given = as<run_tasks>(message);
  if (!given) return false;
  report_.begin(current_sender());
  place_ = given->tasks;
  take_up(place_->take());
  work();
  return true;
}

/// Runs the tasks that are left, until others should have the thread for a moment.
void lane::work() {
  for (bool any = false; left_ && !left_->empty(); any = true) {
    if (gathers_ || gather_cancelled()) break;
    if (scheduler() && should_leave(*left_->front(), any)) {
      remind();
      break;
    }
    auto next = left_->pop_front();
    if (!may_take_long(*next)) {
      run(std::move(next));
    } else {
      put_down();
      run(std::move(next));
      take_up(place_->take());  // others may have added some, whose inputs ended just now
      report_.resume();
    }
  }
  if (left_ && left_->empty()) left_ = nullptr;
  if (scheduler()) scheduler()->about_to_look();
  report_.send();
}

/// Adds tasks to those that are left, if there are any.
void lane::take_up(batch_ref tasks) {
  if (!left_) {
    left_ = std::move(tasks);
  } else if (tasks) {
    while (auto t = tasks->pop_front()) left_->push_back(std::move(t));
  }
}

/// Lets others have the tasks that are left.
void lane::put_down() {
  if (left_ && !left_->empty()) place_->put(std::exchange(left_, nullptr));
}

/// Returns true if something was cancelled: first the lane takes all messages that have come before
/// that, since a task and those that it alone needs may be in several.
bool lane::gather_cancelled() {
  const auto asked = shared_->cancellations.load(std::memory_order_acquire);
  if (std::exchange(cancellations_seen_, asked) == asked) return false;
  gathers_ = true;
  remind();
  return true;
}

/// Sends itself a message behind all that have come.
void lane::remind() {
  ++reminders_;
  send(this, go_on{});
}

/// Fails tasks that are to be cancelled, and those queued before them that nothing else needs.
void lane::cancel_queued() noexcept {
  gathers_ = false;
  if (!left_) return;
  try {
    std::vector<task*> queued;
    for (auto* t = left_->front(); t; t = t->next) {
      // Other lanes may have begun a shared one.
      if (!t->shared && !t->origin) queued.push_back(t);
    }
    fail_cancelled(queued, [](const task& t) { return t.to_be_cancelled(); });
    for (auto* t : queued) {
      if (t->origin) t->attributes.reset();
    }
  } catch (const std::bad_alloc&) {}  // those that are marked fail when their turn comes
}

/// Returns true if the lane should give up its thread before the next task: to control, before a
/// long one, or to a client who has what it waited for.
bool lane::should_leave(const task& next, bool ran_any) const {
  if (actor_scheduler::on_clients_thread()) {
    if (!fit_for_client(next)) {
      scheduler()->leave_to_workers(*slot_);
      return true;
    }
    if (actor_scheduler::client_may_leave()) return true;
  }
  return ran_any && next.estimate >= long_task;
}

void lane::run(task_ptr t) {
  report_.before(*t);
  if (scheduler() && t->estimate >= long_absence) {
    actor_scheduler::keep_to(*device_, index_);
    scheduler()->about_to_compute();
  }
  if (t->shared) {
    run_shared(std::move(t));
    return;
  }
  await_inputs(*t);
  sleep_if_late(*t, &shared_->cancelled_through);
  if (cancelled(*t)) {
    report_.ended(std::move(t));
    return;
  }
  auto event = describe(*t);
  execution run(*t, *device_, t->injected.late ? troupe::now() : report_.time());
  run.run();
  report_.ran(event, run.ended(), t->origin != nullptr);
  if (event.failed) report_.resume();
  learn(*t, event);
  t->drop_attributes();  // what a user's code captured is destroyed where it ran
  if (t->op->users_own) clean_thread();
  report_.ended(std::move(t));
}

/// Runs a task that other lanes may already have started.
void lane::run_shared(task_ptr t) {
  const auto run = t->shared;
  await_last_shared();
  if (run->claim()) {
    await_inputs(*t);
    start(*run);
  }
  t.release();  // owned by whichever lane leaves it last
  join(*run, true);
}

/// Starts a task that it has claimed.
void lane::start(shared_run& run) {
  if (cancelled(run.subject())) return run.close();
  run.start();
  if (run.missed_helpers()) report_.tell(memory_freed{});
}

/// Takes part in another lane's task, and starts it if that lane has not reached it yet. A client's
/// thread leaves that to the lane's own one when it need not wait any longer, and before it would
/// run the user's own code.
void lane::help(shared_run& run) {
  if (actor_scheduler::on_clients_thread() &&
      (run.lanes_only() || actor_scheduler::client_may_leave()))
    return help_later(run);
  actor_scheduler::keep_to(*device_, index_);
  await_last_shared();
  for (spin idle(long_wait); !run.opened();) {
    if (run.try_claim()) {
      if (inputs_pending(run.subject())) run.unclaim();
      else start(run);
    }
    if (!run.opened() && !idle.pause() && run.leave_early())
      return report_.tell(came_early{reference<shared_run>(&run), index_});
  }
  join(run, false);
  if (actor_scheduler::client_may_leave() && run.has_chunks_left()) help_later(run);
}

/// Passes the request to help on to its own thread.
void lane::help_later(shared_run& run) {
  const auto again = std::make_shared<help_plan>();
  again->runs.emplace_back(&run);
  again->helpers.emplace_back(this);
  scheduler()->leave_to_workers(*slot_);
  pass_on(help_run{again, 0}, current_sender());
}

void lane::join(shared_run& run, bool owner) {
  report_.resume();
  if (!owner) report_.take_part(run.description().sequence);
  last_shared_ = reference<shared_run>(&run);
  std::int64_t chunks = 0;
  ticks until = 0;
  const auto leaves =
      owner || !actor_scheduler::on_clients_thread() ? nullptr : &actor_scheduler::client_may_leave;
  const bool last = run.join(index_, owner, chunks, until, leaves);
  const bool failed = last && run.subject().origin != nullptr;
  if (chunks > 0) {
    auto event = run.description();
    event.share = static_cast<float>(chunks) / static_cast<float>(run.chunks());
    report_.ran(event, until, failed);
    if (last) learn(run.subject(), event);
  }
  if (!last) return report_.rest();
  run.subject().attributes.reset();
  report_.ended(task_ptr(&run.subject()));
  if (!owner) report_.send();
}

void lane::learn(const task& t, const task_event& ran) {
  if (!scheduler() || ran.failed) return;
  shared_->costs.note(t, seconds_between(ran.started, ran.ended) * 1e9 / ran.share);
}

/// Waits while other lanes finish the last chunks of a task that this lane took part in: memory
/// that the task then releases serves the next one while it is still in the cache.
void lane::await_last_shared() {
  if (!last_shared_) return;
  spin::until([this] { return !last_shared_->ending(); });
  last_shared_ = nullptr;
}

/// Waits for inputs that another lane is still computing: the two shared such a task, and its last
/// chunks take microseconds. The traced start moves past the wait, and past the ends of inputs that
/// others computed since this lane's last task.
void lane::await_inputs(const task& t) {
  if (t.inputs.empty()) return;
  if (inputs_pending(t)) spin::until([&] { return !inputs_pending(t); });
  report_.resume(now_after_reads());
}

/// Returns true, and fails the task, if it was cancelled before it started.
bool lane::cancelled(task& t) const {
  if (t.origin) return true;
  if (!shared_->dismisses(t)) return false;
  t.fail("cancelled", failure::reason::cancelled);
  t.attributes.reset();
  return true;
}

}  // namespace troupe
