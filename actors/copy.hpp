// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/lane_report.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/tasks/stream_transfer.hpp"

namespace troupe {

/// Actor that moves data between devices, in the order in which copy tasks arrive, on its own
/// streams. It copies ready values to one device, or ready values of one GPU to the host, or values
/// that one GPU is still computing to any device. If a GPU takes part, the stream belongs to that
/// GPU; with two GPUs, to the destination. A copy behind a GPU's work runs on a stream of that GPU,
/// so both fail together. Copies of ready values by a GPU are put on its stream as they arrive,
/// some at a time, and end in that order.
class copy final : public counted_actor {
 public:
  enum class what { to_device, from_gpu, behind_gpu };

  copy(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
       std::shared_ptr<driver> end, what copied);

  static std::string name_of(const driver& end, what copied);
  caf::behavior make_behavior() override;
  void on_exit() override { end_all(); }
  trace_part trace(ticks since) const override { return report_.trace(since); }

 private:
  /// Copy on a stream.
  struct begun {
    task_ptr task;
    task_event event;
    ticks since;
    std::unique_ptr<troupe::event> point;
  };
  static constexpr std::size_t most_begun_ = 16;

  void run(task_ptr t);
  interval move(task& t) noexcept;
  void begin(task_ptr t);
  void end_first();
  void end_all();
  void end_begun();
  std::size_t number_of_way(const task& t) const noexcept;
  stream& stream_for(const task& t);
  std::size_t number_of(device d) const noexcept;

  /// Common end of all its transfers: the destination device, or the source GPU.
  std::shared_ptr<driver> end_;
  what copied_;
  /// One per device, in device order; opened on first use.
  std::vector<std::unique_ptr<stream>> streams_;
  std::deque<begun> begun_;
  ticks last_end_ = 0;  ///< of a copy that was begun
  lane_report report_;
};

}  // namespace troupe
