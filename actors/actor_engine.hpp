// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "troupe/actors/actor_scheduler.hpp"
#include "troupe/actors/actor_set.hpp"
#include "troupe/actors/client_rhythm.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Asynchronous engine: submits tasks to the frontend actor and waits for its answers. Clients are
/// plain threads: nothing of CAF stays in them.
class actor_engine final : public engine {
 public:
  /// Throws troupe::error if the system refuses threads or memory.
  actor_engine(drivers devices, memory_bound limit, std::uint64_t most_pending,
               std::size_t trace_capacity);
  ~actor_engine() override;

  bool outlives_runtime() const noexcept override;
  void submit(task_ptr t) override;
  bool wait(const value_ref& v, const wait_limit& limit) override;
  void wait_all() override;
  void bring(driver& to, std::size_t bytes, const std::function<void()>& take) override {
    state_->bring(to, bytes, take, !working_scope::active());
  }
  void cancel_all() override;
  void cancel(const value_ref& v) override;
  trace_log trace(ticks since) override;
  std::uint64_t pending() const noexcept override { return state_->window.pending(); }
  std::vector<task_state> tasks() override;

  std::vector<actor_state> actors() const { return state_->actors(); }

  const caf::actor& frontend() const noexcept { return stage_->actors.frontend; }

 private:
  /// Client threads, as the scheduler sees them.
  class clients final : public actor_scheduler::source {
   public:
    explicit clients(engine_state& state, const actor_set& actors)
        : state_(state), actors_(actors) {}
    bool has_work() const noexcept override {
      return state_.submitted.waits() || state_.deadlines.over();
    }
    bool call() override;
    int watch_lanes() override;
    bool busy() const noexcept override { return state_.window.pending() > 0; }
    std::chrono::nanoseconds time_left() const noexcept override {
      return state_.deadlines.time_left();
    }
    bool wants_help(const driver& on) const noexcept override { return state_.callers.offers(on); }
    bool help(const driver& on, int lane) noexcept override {
      return state_.callers.help(on, lane);
    }
    bool lanes_have_enough() const noexcept override {
      return state_.passed_on.load(std::memory_order_relaxed) > 64;
    }

   private:
    engine_state& state_;
    const actor_set& actors_;
  };

  /// The actors and what runs them. Left as it is in a forked process, which lacks their threads.
  struct stage {
    stage(const std::shared_ptr<engine_state>& state, int cores);
    ~stage();

    actor_set actors;
    clients source;
    actor_scheduler scheduler;
    caf::actor_system_config config;
    caf::actor_system system;
  };

  template <class Answer, class Message>
  Answer ask(const caf::actor& whom, Message&& request);
  all_done await_all_ended();
  engine_state::ran_at_once run_here(task_ptr& t, float guess);
  client_rhythm::way way_of(const task& t, float guess, ticks& time) const;
  void begin_interval(ticks& time) const;
  void catch_up(ticks end) const;
  void report_failure(const failure_ptr& why);
  void say_wanted(const value_ref& v);

  std::shared_ptr<engine_state> state_;
  std::unique_ptr<stage> stage_;
};

}  // namespace troupe
