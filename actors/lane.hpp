// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/lane_report.hpp"
#include "troupe/actors/messages.hpp"

namespace troupe {

/// Actor that runs tasks of a CPU device in the order in which they arrive, and its share of large
/// ones. It makes no scheduling decisions.
class lane final : public counted_actor {
 public:
  lane(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
       std::shared_ptr<driver> device, int index);

  caf::behavior make_behavior() override;
  trace_part trace(ticks since) const override { return report_.trace(since); }

 protected:
  bool take(caf::type_erased_tuple& message) override;

 private:
  void work();
  void take_up(batch_ref tasks);
  void put_down();
  bool gather_cancelled();
  void remind();
  void cancel_queued() noexcept;
  bool should_leave(const task& next, bool ran_any) const;
  void run(task_ptr t);
  void run_shared(task_ptr t);
  void start(shared_run& run);
  void help(shared_run& run);
  void help_later(shared_run& run);
  void join(shared_run& run, bool owner);
  void learn(const task& t, const task_event& ran);
  void await_last_shared();
  void await_inputs(const task& t);
  bool cancelled(task& t) const;

  std::shared_ptr<driver> device_;
  int index_;
  batch_ref left_;        ///< tasks that arrived and were not run yet
  assignment_ref place_;  ///< where others can take them from
  std::uint32_t cancellations_seen_ = 0;
  int reminders_ = 0;     ///< messages to itself that are under way
  bool gathers_ = false;  ///< it runs nothing until the last of them has come
  reference<shared_run> last_shared_;
  lane_report report_;
};

}  // namespace troupe
