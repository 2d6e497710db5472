// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <caf/response_promise.hpp>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/tasks/kept_failures.hpp"

namespace troupe {

/// Actor that receives what clients submit. Routes each task to the dependency actor that owns it,
/// keeps the counts behind `wait_all`, and delegates requests for values to the dependency actors
/// that own them.
class frontend final : public counted_actor {
 public:
  frontend(caf::actor_config& config, std::shared_ptr<engine_state> shared,
           std::vector<caf::actor> dependencies);

  caf::behavior make_behavior() override;
  trace_part trace(ticks since) const override;
  void on_exit() override;

 protected:
  bool take(caf::type_erased_tuple& message) override;

 private:
  enum class answer_as { failures, error };

  struct waiting_for_end {
    caf::response_promise client;
    answer_as form;
  };

  /// Tasks submitted between two requests to be told when all have ended.
  struct epoch {
    std::uint64_t pending = 0;
    /// Clients to answer when this epoch and all earlier ones have ended.
    std::vector<waiting_for_end> waiting;
  };

  void take_submitted();
  bool run_at_once(task_ptr& t, float& left);
  void route(task_ptr t);
  void note(const progress& p);
  caf::response_promise await_end(answer_as form);
  void answer_waiting();
  void sample_counters();

  std::vector<caf::actor> dependencies_;
  std::vector<batch_ref> outgoing_;  ///< by dependency actor
  std::uint32_t first_epoch_ = 0;    ///< number of `epochs_.front()`
  std::deque<epoch> epochs_{1};
  kept_failures failures_;
  std::vector<counter_sample> counters_;
  std::size_t next_counter_ = 0;
  ticks last_sample_ = 0;
};

}  // namespace troupe
