// SPDX-License-Identifier: MIT
#include "troupe/actors/copy.hpp"

#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/fault_injector.hpp"

namespace troupe {

copy::copy(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
           std::shared_ptr<driver> end, what copied)
    : counted_actor(config, std::move(shared), actor_counters::kind::lane, name_of(*end, copied)),
      end_(std::move(end)),
      copied_(copied),
      streams_(shared_->devices.size()),
      report_(*this, number, *shared_) {}

std::string copy::name_of(const driver& end, what copied) {
  return (copied == what::behind_gpu ? "copy behind " : "copy to ") + to_string(end.id());
}

caf::behavior copy::make_behavior() {
  return {
      [this](run_tasks& m) {
        report_.begin(current_sender());
        while (auto t = m.tasks->pop_front()) run(std::move(t));
        if (scheduler()) scheduler()->about_to_look();
        report_.send();
      },
      [this](const read_trace& wanted) { return trace(wanted.since); },
  };
}

std::size_t copy::number_of(device d) const noexcept {
  std::size_t i = 0;
  while (shared_->devices[i]->id() != d) ++i;
  return i;
}

stream& copy::stream_for(const task& t) {
  const auto source = t.inputs[0].source->device;
  const auto i = number_of(copied_ == what::behind_gpu ? source : way_between(source, end_->id()));
  if (!streams_[i]) streams_[i] = shared_->devices[i]->open_stream();
  return *streams_[i];
}

/// Moves the data and returns when the transfer ran.
interval copy::move(task& t) noexcept {
  try {
    auto& on = stream_for(t);
    return stream_transfer(t, *shared_->devices[number_of(t.device)], on);
  } catch (...) {
    t.inputs[0].source->wait();  // a failure of the input takes precedence
    if (!fails_from_the_start(t)) fail_with_current_exception(t);
  }
  return {};
}

void copy::run(task_ptr t) {
  report_.before(*t);
  sleep_if_late(*t, &shared_->cancelled_through);
  if (t->sequence <= shared_->cancelled_through.load(std::memory_order_acquire)) {
    t->fail("cancelled", failure::reason::cancelled);
  } else {
    auto event = describe(*t);
    // Clients waiting for earlier copies need not wait for the GPU.
    if (copied_ == what::behind_gpu) report_.send();
    const auto when = move(*t);
    report_.resume(when.since);
    report_.ran(event, when.until, t->origin != nullptr);
  }
  report_.ended(std::move(t));
}

}  // namespace troupe
