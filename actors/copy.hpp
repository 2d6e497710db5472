// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "troupe/actors/lane_report.hpp"
#include "troupe/actors/messages.hpp"
#include "troupe/actors/role.hpp"

namespace troupe {

/// Moves data to one device, in the order in which the copies come, on streams of its own: a GPU's where a GPU takes
/// part, that of the device it copies to if there are two.
class copy final : public role {
 public:
  copy(caf::actor_config& config, std::shared_ptr<stage> shared, int number,
       std::shared_ptr<driver> to);

  caf::behavior make_behavior() override;
  trace_part trace(ticks since) const override { return report_.trace(since); }

 private:
  void run(task_ptr t);
  ticks move(task& t) noexcept;
  stream& way_from(device source);

  std::shared_ptr<driver> to_;
  std::vector<std::unique_ptr<stream>>
      ways_;  ///< of the devices, in their order; opened when they are needed
  lane_report report_;
};

}  // namespace troupe
