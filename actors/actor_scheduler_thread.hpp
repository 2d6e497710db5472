// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/actors/actor_scheduler.hpp"

namespace troupe {

/// State of the calling thread within a scheduler.
struct actor_scheduler::thread_state {
  actor_scheduler* scheduler;
  bool runs_lanes;
  bool looks = true;  ///< it counts as looking, otherwise as computing
  bool away = false;
  const guest* client = nullptr;
  const driver* works_for = nullptr;  ///< the device whose cores the thread keeps to
};

}  // namespace troupe
