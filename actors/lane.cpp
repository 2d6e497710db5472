// SPDX-License-Identifier: MIT
#include "troupe/actors/lane.hpp"

#include "troupe/actors/help.hpp"
#include "troupe/actors/spin.hpp"
#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/fault_injector.hpp"

namespace troupe {

namespace {

bool inputs_pending(const task& t) noexcept {
  for (const auto& in : t.inputs) {
    if (in.source && in.source->pending()) return true;
  }
  return false;
}

// Time after which a helper gives up on a task whose inputs are still pending: 0.4 ms.
constexpr ticks long_wait = 1'000'000;

}  // namespace

lane::lane(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
           std::shared_ptr<driver> device, int index)
    : counted_actor(config, std::move(shared), actor_counters::kind::lane,
                    to_string(device->id()) + " lane " + std::to_string(index)),
      device_(std::move(device)),
      index_(index),
      report_(*this, number, *shared_) {}

caf::behavior lane::make_behavior() {
  if (getf(is_detached_flag)) device_->enter(index_);
  return {
      [this](run_tasks& m) {
        report_.begin(current_sender());
        while (auto t = m.tasks->pop_front()) run(std::move(t));
        report_.send();
        spin_for_message(*this, shared_->spin_time);
      },
      [this](help_run& m) {
        report_.begin(current_sender());
        pass_on(m, current_sender());
        for (const auto& one : m.plan->runs) help(*one);
        report_.send();
        spin_for_message(*this, shared_->spin_time);
      },
      [this](work_coming) { spin_for_message(*this, 2 * shared_->spin_time); },
      [this](const read_trace& wanted) { return trace(wanted.since); },
  };
}

void lane::run(task_ptr t) {
  report_.before(*t);
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
  execution run(*t, *device_);
  run.run();
  report_.ran(event, run.ended(), t->origin != nullptr);
  report_.ended(std::move(t));
}

/// Runs a task that other lanes may already have started.
void lane::run_shared(task_ptr t) {
  const auto run = t->shared;
  await_last_shared();
  if (run->claim()) {
    await_inputs(*t);
    if (cancelled(*t)) run->close();
    else run->start();
  }
  t.release();  // owned by whichever lane leaves it last
  join(*run, true);
}

/// Takes part in another lane's task, and starts it if that lane has not reached it yet.
void lane::help(shared_run& run) {
  await_last_shared();
  const auto since = troupe::now();
  for (unsigned spins = 0; !run.opened(); spin_pause(spins)) {
    if (!run.try_claim()) continue;
    if (inputs_pending(run.subject())) run.unclaim();
    else if (cancelled(run.subject())) run.close();
    else run.start();
    if (troupe::now() - since > long_wait) return;
  }
  join(run, false);
}

void lane::join(shared_run& run, bool owner) {
  report_.resume();
  if (!owner) report_.take_part(run.description().sequence);
  last_shared_ = reference<shared_run>(&run);
  std::int64_t chunks = 0;
  ticks until = 0;
  const bool last = run.join(index_, owner, chunks, until);
  const bool failed = last && run.subject().origin != nullptr;
  if (chunks > 0) {
    auto event = run.description();
    event.share = static_cast<float>(chunks) / static_cast<float>(run.chunks());
    report_.ran(event, until, failed);
  }
  left_early_ = !last;
  if (!last) return report_.rest();
  report_.ended(task_ptr(&run.subject()));
  if (!owner) report_.send();
}

/// Waits while other lanes finish the last chunks of a task that this lane took part in: memory
/// that the task then releases serves the next one while it is still in the cache.
void lane::await_last_shared() {
  if (!last_shared_) return;
  for (unsigned spins = 0; last_shared_->ending();) spin_pause(spins);
  last_shared_ = nullptr;
}

/// Waits for inputs that another lane is still computing: the two shared such a task, and its last
/// chunks take microseconds. The traced start moves past the wait, even if the other lane had just
/// finished.
void lane::await_inputs(const task& t) {
  const bool left_early = std::exchange(left_early_, false);
  if (!left_early && !inputs_pending(t)) return;
  for (unsigned spins = 0; inputs_pending(t);) spin_pause(spins);
  report_.resume();
}

/// Returns true, and fails the task, if it was cancelled before it started.
bool lane::cancelled(task& t) const {
  if (t.sequence > shared_->cancelled_through.load(std::memory_order_acquire)) return false;
  t.fail("cancelled", failure::reason::cancelled);
  return true;
}

}  // namespace troupe
