// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include "troupe/actors/engine_state.hpp"

namespace troupe {

/// The actors of one runtime.
struct actor_set {
  caf::actor frontend;
  std::vector<caf::actor> dependencies;  ///< one per device, and the one of the copies last
  std::vector<caf::actor> lanes;         ///< of all devices, the copy lanes last
  std::vector<std::string> lane_names;

  /// The lane of a device that small tasks go to first.
  const caf::actor& first_lane(const drivers& devices, device place) const noexcept;
  /// Asks all to quit, in the order in which work flows.
  void quit();
};

enum class lane_threads {
  own,    ///< each lane is a detached actor with a thread of its own
  pooled  ///< lanes run on the system's scheduler, as tests want
};

/// Brings the actors of a runtime to life in `system`.
actor_set spawn_actors(caf::actor_system& system, const std::shared_ptr<engine_state>& shared,
                       lane_threads threads);

}  // namespace troupe
