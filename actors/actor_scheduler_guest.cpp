// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <utility>

#include "troupe/actors/actor_scheduler.hpp"
#include "troupe/actors/actor_scheduler_thread.hpp"
#include "troupe/tasks/default_float_environment.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

namespace {

constexpr int most_at_leaving = 8;

}  // namespace

/// Lets the calling thread take part in what it waits for.
void actor_scheduler::run_guest(const guest& self, ticks most, bool lanes) {
  // Results must not depend on the thread that computes them.
  std::optional<default_float_environment> environment;
  if (lanes) environment.emplace();
  thread_state me{.scheduler = this, .runs_lanes = lanes, .client = &self};
  auto* const outer = std::exchange(here_, &me);
  threads_.wait(true);
  threads_.came();
  threads_.look(lanes);
  for (spin idle(most); !self.reached(self.goal);) {
    if (work(nullptr, lanes)) idle.restart();
    else if (threads_.cores_are_taken() || !idle.pause()) break;
  }
  for (int i = 0; i < most_at_leaving && run_control(); ++i) {}
  threads_.wait(false);
  const bool last = threads_.stop_looking(lanes);
  here_ = outer;
  environment.reset();
  if (last && control_waits()) wake_control();
  pass_on();
  keep_watch();
}

bool actor_scheduler::on_clients_thread() noexcept { return here_ && here_->client; }

bool actor_scheduler::client_may_leave() {
  return on_clients_thread() && here_->client->reached(here_->client->goal);
}

bool actor_scheduler::client_computes() {
  return on_clients_thread() && here_->runs_lanes && !client_may_leave();
}

bool actor_scheduler::client_waits_for(const task& t) noexcept {
  return on_clients_thread() && here_->client->wanted &&
         std::ranges::any_of(t.outputs,
                             [](auto& out) { return out.get() == here_->client->wanted; });
}

}  // namespace troupe
