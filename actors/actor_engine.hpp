// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "troupe/actors/actor_set.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/actors/runtime.hpp"
#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Asynchronous engine: submits tasks to the frontend actor and waits for its answers.
class actor_engine final : public engine {
 public:
  actor_engine(drivers devices, memory_bound limit, std::uint64_t most_pending,
               std::size_t trace_capacity);
  ~actor_engine() override;

  void submit(task_ptr t) override;
  bool wait(const value_ref& v, deadline until) override;
  void wait_all() override;
  void bring(driver& to, std::size_t bytes, const std::function<void()>& take) override {
    state_->bring(to, bytes, take, !working_scope::active());
  }
  void cancel_all() override;
  trace_log trace(ticks since) override;
  std::uint64_t pending() const noexcept override { return state_->window.pending(); }
  std::vector<task_state> tasks() override;

  std::vector<actor_state> actors() const { return state_->actors(); }

  const caf::actor& frontend() const noexcept { return actors_.frontend; }

 private:
  all_done await_all_ended();

  std::shared_ptr<engine_state> state_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  actor_set actors_;
};

}  // namespace troupe
