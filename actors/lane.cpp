// SPDX-License-Identifier: MIT
#include "troupe/actors/lane.hpp"

#include "troupe/actors/linger.hpp"
#include "troupe/tensor/execution.hpp"

namespace troupe {

namespace {

/// Another lane may still be at the last chunks of an input that the two shared: a wait of microseconds.
/// True if it had to wait.
bool await_inputs(const task& t) {
  unsigned spins = 0;
  for (const auto& in : t.inputs)
    while (in.source && in.source->pending()) pause_briefly(spins);
  return spins > 0;
}

constexpr unsigned patience = 4'000;  // spins until a helper that was called too early leaves

}  // namespace

lane::lane(caf::actor_config& config, std::shared_ptr<stage> shared, int number,
           std::shared_ptr<driver> device, int index)
    : caf::event_based_actor(config),
      shared_(std::move(shared)),
      device_(std::move(device)),
      index_(index),
      report_(*this, number, shared_->trace_capacity) {}

caf::behavior lane::make_behavior() {
  if (getf(is_detached_flag)) device_->enter(index_);
  return {
      [this](run_tasks& m) {
        report_.begin(current_sender());
        while (auto t = m.tasks->pop_front()) run(std::move(t));
        report_.send();
        linger(*this, shared_->patience);
      },
      [this](help_run& m) {
        report_.begin(current_sender());
        for (auto& one : m.runs) help(*one);
        report_.send();
        linger(*this, shared_->patience);
      },
      [this](work_coming) { linger(*this, 2 * shared_->patience); },
      [this](const read_trace& wanted) { return report_.trace(wanted.since); },
  };
}

void lane::run(task_ptr t) {
  report_.before(*t);
  if (await_inputs(*t)) report_.resume();
  if (t->sequence <= shared_->cancelled_through.load(std::memory_order_acquire)) {
    t->fail("cancelled", failure::reason::cancelled);
    if (t->shared) t->shared->close();
    report_.ended(std::move(t));
    return;
  }
  if (t->shared) {
    run_shared(std::move(t));
    return;
  }
  auto event = describe(*t);
  execution alone(*t, *device_);
  if (alone.prepare()) alone.run();
  report_.ran(event, t->origin != nullptr);
  report_.ended(std::move(t));
}

void lane::run_shared(task_ptr t) {
  const auto run = t->shared;
  auto event = describe(*t);
  if (!run->prepare()) {
    run->close();
    report_.ended(std::move(t));
    return;
  }
  if (run->chunks() == 0) {
    run->close();
    run->run();
    report_.ran(event, t->origin != nullptr);
    report_.ended(std::move(t));
    return;
  }
  // From now on the task belongs to whoever ends its last chunk.
  auto* owned = t.release();
  run->open();
  std::int64_t chunks = 0;
  const bool mine = run->join(chunks);
  event.share = static_cast<float>(chunks) / static_cast<float>(run->chunks());
  report_.ran(event, mine ? owned->origin != nullptr : false);
  if (mine) report_.ended(task_ptr(owned));
}

void lane::help(execution& run) {
  for (unsigned spins = 0; !run.opened();) {
    if (spins > patience) return;
    pause_briefly(spins);
  }
  std::int64_t chunks = 0;
  report_.resume();
  const bool mine = run.join(chunks);
  if (chunks == 0) return;
  auto event = run.description();
  event.share = static_cast<float>(chunks) / static_cast<float>(run.chunks());
  report_.ran(event, mine ? run.subject().origin != nullptr : false);
  if (mine) {
    report_.ended(task_ptr(&run.subject()));
    report_.send();
  }
}

}  // namespace troupe
