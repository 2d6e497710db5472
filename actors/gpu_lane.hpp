// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/gpu_watch.hpp"
#include "troupe/actors/lane_report.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/tasks/gpu_execution.hpp"
#include "troupe/tasks/node_pool.hpp"
#include "troupe/tasks/stream_values.hpp"

namespace troupe {

/// Actor that puts the tasks of a GPU on a stream, in the order in which they arrive, and reports
/// their ends. It does not wait for the GPU: it records marks on the stream and receives
/// `work_ended` when the GPU has reached one. Tasks that continue with a value on another stream
/// receive the mark behind it. Memory of values that only tasks on the stream still refer to passes
/// on to tasks behind those, so a loop on a GPU takes little memory however far it runs ahead. What
/// is on a GPU's stream cannot be cancelled; what another machine was sent can.
class gpu_lane final : public counted_actor {
 public:
  gpu_lane(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
           std::shared_ptr<driver> device, int index);

  caf::behavior make_behavior() override;
  void on_exit() override;
  trace_part trace(ticks since) const override;

 private:
  /// Task on the stream.
  struct launched : pooled<launched> {
    explicit launched(task_ptr t)
        : task(std::move(t)), run(*task), event(describe(*task)), estimate(task->estimate) {}
    task_ptr task;  ///< null: it ended before the stream has got behind it
    gpu_execution run;
    task_event event;
    float estimate;
  };
  /// Point of the stream, and the number of tasks between the previous mark and it.
  struct mark {
    std::shared_ptr<event> point;
    std::size_t tasks;
  };
  /// Point of the stream that was reached, and the time.
  struct reached {
    std::shared_ptr<event> point;
    ticks when = 0;
  };
  /// Reference to the actor that the watch notifies. It does not own the actor, since the actor
  /// owns the watch.
  struct notified_actor {
    std::mutex mutex;
    caf::actor actor;
  };

  void put_on_stream(task_ptr t);
  bool start(launched& one);
  void note_start();
  void leave_mark();
  void collect();
  void settle_behind(mark m);
  void settle_first(std::string_view failure, ticks since, ticks until);
  void await_oldest();
  void give_point(value_ref v, const caf::actor& whom);
  std::shared_ptr<const event> point_behind(std::uint64_t task) const;
  void spin_for_completions();
  void lose(std::string_view why);
  bool dismissed(task& t) const;
  void cancel_launched();

  std::shared_ptr<driver> device_;
  int index_;
  std::unique_ptr<stream> stream_;
  std::optional<stream_values> values_;  ///< none: there are other lanes, or it takes whole tasks
  std::deque<std::unique_ptr<launched>> launched_;
  std::deque<mark> marks_;
  reached last_;               ///< point where the stream was idle, or the last mark reached
  std::size_t unmarked_ = 0;   ///< tasks put on the stream since the last mark
  bool news_to_come_ = false;  ///< `work_ended` is on its way
  std::string lost_;           ///< reason why the GPU is unusable; empty if it works
  lane_report report_;
  std::shared_ptr<notified_actor> notified_ = std::make_shared<notified_actor>();
  gpu_watch watch_;
};

}  // namespace troupe
