// SPDX-License-Identifier: MIT
#include "troupe/actors/copy.hpp"

#include "troupe/tensor/disturbing.hpp"
#include "troupe/tensor/execution.hpp"

namespace troupe {

copy::copy(caf::actor_config& config, std::shared_ptr<stage> shared, int number,
           std::shared_ptr<driver> to)
    : role(config, std::move(shared), post::kind::lane, "copy to " + to_string(to->id())),
      to_(std::move(to)),
      ways_(shared_->devices.size()),
      report_(*this, number, *shared_) {}

caf::behavior copy::make_behavior() {
  if (getf(is_detached_flag)) to_->enter(driver::no_lane);
  return {
      [this](run_tasks& m) {
        report_.begin(current_sender());
        while (auto t = m.tasks->pop_front()) run(std::move(t));
        report_.send();
      },
      [this](const read_trace& wanted) { return trace(wanted.since); },
  };
}

stream& copy::way_from(device source) {
  const auto opens = way_between(source, to_->id());
  std::size_t i = 0;
  while (shared_->devices[i]->id() != opens) ++i;
  if (!ways_[i]) ways_[i] = shared_->devices[i]->open_stream();
  return *ways_[i];
}

/// Until when it took.
ticks copy::move(task& t) noexcept {
  if (fails_from_the_start(t)) return troupe::now();
  try {
    return transfer(t, *to_, way_from(t.inputs[0].source->place));
  } catch (...) { fail_with_current_exception(t); }
  return troupe::now();
}

void copy::run(task_ptr t) {
  report_.before(*t);
  sleep_if_late(*t, &shared_->cancelled_through);
  if (t->sequence <= shared_->cancelled_through.load(std::memory_order_acquire)) {
    t->fail("cancelled", failure::reason::cancelled);
  } else {
    auto event = describe(*t);
    const auto ended = move(*t);
    report_.ran(event, ended, t->origin != nullptr);
  }
  report_.ended(std::move(t));
}

}  // namespace troupe
