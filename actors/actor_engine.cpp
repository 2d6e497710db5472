// SPDX-License-Identifier: MIT
#include "troupe/actors/actor_engine.hpp"

#include <algorithm>
#include <iterator>

#include <caf/atom.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include "troupe/actors/spin.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

using std::chrono::steady_clock;

// Time in seconds for which a client spins for a short task before it sleeps: being woken costs as
// much.
constexpr double spin_time = 100e-6;
constexpr float short_task = 50'000;  // nanoseconds

/// Spins until `done` returns true; returns false after `spin_time`.
template <class F>
bool spin_until(F&& done) {
  const auto start = now();
  for (unsigned spins = 0; seconds_between(start, now()) < spin_time;) {
    spin_pause(spins);
    if (done()) return true;
  }
  return false;
}

/// Listener that tells dependency actors, and clients that bring data, when memory was freed.
class freed_memory_notifier final : public memory_listener {
 public:
  freed_memory_notifier(std::shared_ptr<engine_state> state, std::vector<caf::actor> wanting)
      : state_(std::move(state)), wanting_(std::move(wanting)) {}
  void freed() noexcept override {
    state_->gate.look_again();
    for (const auto& one : wanting_) caf::anon_send(one, memory_freed{});
  }

 private:
  std::shared_ptr<engine_state> state_;
  std::vector<caf::actor> wanting_;
};

caf::actor_system_config& set_up(caf::actor_system_config& config) {
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", std::size_t{1});
  // The actors on that thread take turns, message by message: otherwise the frontend, while it
  // polls for new tasks, would keep the others waiting.
  config.set("scheduler.max-throughput", std::size_t{1});
  return config;
}

}  // namespace

actor_engine::actor_engine(drivers devices, memory_bound limit, std::uint64_t most_pending,
                           std::size_t trace_capacity)
    : engine(std::move(devices)),
      state_(
          std::make_shared<engine_state>(engine::devices(), limit, most_pending, trace_capacity)),
      system_(set_up(config_)),
      actors_(spawn_actors(system_, state_, lane_threads::own)) {
  for (std::size_t d = 0; d < engine::devices().size(); ++d) {
    const std::vector<caf::actor> wanting{actors_.dependencies[d], actors_.dependencies.back()};
    engine::devices()[d]->memory()->set_listener(
        std::make_shared<freed_memory_notifier>(state_, wanting));
  }
}

actor_engine::~actor_engine() {
  retire();
  do await_all_ended();
  while (state_->window.pending() > 0);  // operations may have submitted more tasks
  for (auto& one : engine::devices()) one->memory()->set_listener(nullptr);
  actors_.quit();
  caf::scoped_actor self{system_};
  self->wait_for(actors_.frontend);
  for (auto& one : actors_.dependencies) self->wait_for(one);
  for (auto& one : actors_.lanes) self->wait_for(one);
  actors_ = {};
}

void actor_engine::submit(task_ptr t) {
  const auto place = t->device;
  if (!state_->submit(std::move(t), !working_scope::active())) return;
  // All actors may be asleep: the lane can wake up while the frontend does.
  caf::anon_send(actors_.frontend, tasks_submitted{});
  caf::anon_send(actors_.first_lane(engine::devices(), place), work_coming{});
}

bool actor_engine::wait(const value_ref& v, deadline until) {
  const auto there = [&] { return !v->pending(); };
  if (there() || (v->estimate < short_task && spin_until(there))) return true;
  if (!until) {
    v->wait();
    return true;
  }
  const auto left = std::max(*until - steady_clock::now(), steady_clock::duration::zero());
  caf::scoped_actor self{system_};
  self->request(actors_.frontend, left, await_value{v})
      .receive([](const value_resolved&) {}, [](const caf::error&) {});
  return there();
}

all_done actor_engine::await_all_ended() {
  all_done all;
  caf::scoped_actor self{system_};
  self->request(actors_.frontend, caf::infinite, await_all{})
      .receive([&](all_done& answer) { all = std::move(answer); }, [](const caf::error&) {});
  return all;
}

void actor_engine::wait_all() {
  refuse_while_working("wait_all");
  spin_until([this] { return state_->window.pending() == 0; });
  auto all = await_all_ended();
  raise_first(all.failures, all.not_kept);
}

void actor_engine::cancel_all() {
  // The answer comes before anything else is computed, so it marks the boundary: tasks submitted
  // from now on are not cancelled.
  caf::scoped_actor self{system_};
  self->request(actors_.frontend, caf::infinite, cancel_tasks{})
      .receive([] {}, [](const caf::error&) {});
}

std::vector<task_state> actor_engine::tasks() {
  refuse_while_working("tasks");
  std::vector<task_state> all;
  caf::scoped_actor self{system_};
  self->request(actors_.frontend, caf::infinite, list_tasks{})
      .receive([] {}, [](const caf::error&) {});
  for (const auto& one : actors_.dependencies)
    self->request(one, caf::infinite, list_tasks{})
        .receive([&](task_list& part) { std::ranges::move(part.tasks, std::back_inserter(all)); },
                 [](const caf::error&) {});
  std::ranges::sort(all, {}, &task_state::sequence);
  return all;
}

trace_log actor_engine::trace(ticks since) {
  refuse_while_working("trace");
  trace_log log;
  log.lanes = actors_.lane_names;
  caf::scoped_actor self{system_};
  const auto ask = [&](const caf::actor& whom) {
    self->request(whom, caf::infinite, read_trace{since})
        .receive(
            [&](trace_part& part) {
              log.events.insert(log.events.end(), part.events.begin(), part.events.end());
              log.partial = log.partial || part.partial;
              log.counters.insert(log.counters.end(), part.counters.begin(), part.counters.end());
            },
            [](const caf::error&) {});
  };
  for (auto& one : actors_.lanes) ask(one);
  ask(actors_.frontend);
  std::sort(log.events.begin(), log.events.end(),
            [](auto& a, auto& b) { return a.started < b.started; });
  return log;
}

}  // namespace troupe
