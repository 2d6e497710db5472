// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/gpu_watch.hpp"
#include "troupe/actors/lane_report.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/tasks/gpu_execution.hpp"

namespace troupe {

/// Puts the tasks of a GPU on a stream, in the order in which they come, and tells when they have
/// ended. It does not wait for the GPU: it leaves marks on the stream, and is sent `work_ended`
/// when the GPU has got to one. Who wants to go on with a value on another stream is told of the
/// mark behind it.
class gpu_lane final : public counted_actor {
 public:
  gpu_lane(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
           std::shared_ptr<driver> device, int index);

  caf::behavior make_behavior() override;
  void on_exit() override;
  trace_part trace(ticks since) const override { return report_.trace(since); }

 private:
  /// A task on the stream.
  struct launched {
    explicit launched(task_ptr t) : task(std::move(t)), run(*task), event(describe(*task)) {}
    task_ptr task;
    gpu_execution run;
    task_event event;
  };
  /// A point of the stream, and how many tasks lie before it and behind the mark before.
  struct mark {
    std::shared_ptr<event> point;
    std::size_t tasks;
  };
  /// A point of the stream that was reached, and when.
  struct reached {
    std::shared_ptr<event> point;
    ticks when = 0;
  };
  /// What the watch rings: it does not own the actor, which owns the watch.
  struct bell {
    std::mutex mutex;
    caf::actor rung;
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

  std::shared_ptr<driver> device_;
  int index_;
  std::unique_ptr<stream> stream_;
  std::deque<std::unique_ptr<launched>> launched_;
  std::deque<mark> marks_;
  reached last_;              ///< where the stream was when it was idle, or the last mark it got to
  std::size_t unmarked_ = 0;  ///< tasks behind the last mark
  bool news_to_come_ = false;  ///< `work_ended` is on its way
  std::string lost_;           ///< why the GPU does nothing any more
  lane_report report_;
  std::shared_ptr<bell> bell_ = std::make_shared<bell>();
  gpu_watch watch_;
};

}  // namespace troupe
