// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <caf/response_promise.hpp>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/actors/ordering.hpp"

namespace troupe {

/// Actor that holds the tasks of one device, all copies, or all tasks with a deadline, until they
/// may run. Its `ordering`
/// makes the decisions; the actor sends them as messages and answers clients that wait for its
/// values.
class dependency final : public counted_actor {
 public:
  dependency(caf::actor_config& config, const std::shared_ptr<engine_state>& shared, int home,
             std::vector<caf::actor> lanes, std::vector<ordering::place> places,
             int first_lane = 0);

  caf::behavior make_behavior() override;
  void on_exit() override;
  /// Appends the tasks that it holds or has sent to lanes. Call it on the actor's own thread.
  void list(std::vector<task_state>& out) const;

 protected:
  bool take(caf::type_erased_tuple& message) override;

 private:
  /// A client whose request waits for this value, or a dependency actor that watches it.
  struct waiting_for_value {
    value_ref value;
    caf::actor dependency;  ///< told only that the value has settled
    bool point_will_do;     ///< or that it has its stream point
    caf::response_promise client;
    await_values request;
  };

  void act();
  void dispatch();
  void let_lanes_look();
  void send_tasks();
  void send_helps();
  void report_ended();
  void ask_for_points(std::size_t lane, const std::vector<std::uint64_t>& tasks);
  void tell_waiting(std::uint64_t sequence);
  void tell_settled();
  void tell(waiting_for_value& one);
  void cancel(const value& v, bool only_if_unneeded);
  void share_inputs();
  void fail_missed();

  ordering ordering_;
  int home_;                            ///< its number, which its values name as their home
  bool gives_points_;                   ///< true if its lanes belong to a GPU
  int first_lane_;                      ///< index of `lanes_.front()` among all lanes
  std::optional<deadlines> deadlines_;  ///< if it holds the timed tasks, which need no lane
  decisions decisions_;
  std::vector<caf::actor> lanes_;
  std::vector<batch_ref> batches_;  ///< by lane, while they are made up
  std::vector<std::size_t> told_;   ///< lanes for which one is
  caf::actor frontend_;
  std::vector<caf::actor> dependencies_;
  /// By sequence number of the task that computes the value.
  std::multimap<std::uint64_t, waiting_for_value> waiting_;
};

}  // namespace troupe
