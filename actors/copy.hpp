// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "troupe/actors/counted_actor.hpp"
#include "troupe/actors/lane_report.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/tasks/stream_transfer.hpp"

namespace troupe {

/// Moves data in the order in which the copies come, on streams of its own: what is there, to one
/// device; or to any, what one GPU still computes. The streams are a GPU's where a GPU takes part,
/// that of the device it copies to if there are two. What is copied behind a GPU's work is copied
/// on a stream of that GPU: if it fails, both do.
class copy final : public counted_actor {
 public:
  enum class what : bool { to_device, behind_gpu };

  copy(caf::actor_config& config, std::shared_ptr<engine_state> shared, int number,
       std::shared_ptr<driver> end, what copied);

  static std::string name_of(const driver& end, what copied);
  caf::behavior make_behavior() override;
  trace_part trace(ticks since) const override { return report_.trace(since); }

 private:
  void run(task_ptr t);
  interval move(task& t) noexcept;
  stream& way_of(const task& t);
  std::size_t number_of(device d) const noexcept;

  std::shared_ptr<driver> end_;  ///< of all ways: the device that it copies to, or the GPU
  what copied_;
  std::vector<std::unique_ptr<stream>>
      ways_;  ///< of the devices, in their order; opened when they are needed
  lane_report report_;
};

}  // namespace troupe
