// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "troupe/actors/lane_report.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/actors/role.hpp"

namespace troupe {

/// Moves data to one device, in the order in which the copies come, on a stream of its own.
class copy final : public role {
 public:
  copy(caf::actor_config& config, std::shared_ptr<stage> shared, int number,
       std::shared_ptr<driver> to);

  caf::behavior make_behavior() override;
  trace_part trace(ticks since) const override { return report_.trace(since); }

 private:
  void run(task_ptr t);

  std::shared_ptr<driver> to_;
  std::unique_ptr<stream> way_;
  lane_report report_;
};

}  // namespace troupe
