// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/fwd.hpp>

#include "troupe/actors/engine_state.hpp"

namespace troupe {

/// Actors of one runtime.
struct actor_set {
  caf::actor frontend;
  std::vector<caf::actor> dependencies;  ///< one per device, then the one for copies
  std::vector<caf::actor> lanes;         ///< of all devices, then the copy lanes
  std::vector<std::string> lane_names;

  /// Returns the lane of a device that small tasks go to first.
  const caf::actor& first_lane(const drivers& devices, device place) const noexcept;
  /// Asks all actors to quit, in the order in which work flows.
  void quit();
};

enum class lane_threads {
  own,    ///< each lane is a detached actor with its own thread
  pooled  ///< lanes run on the actor system's scheduler, for tests
};

/// Spawns the actors of a runtime in `system`.
actor_set spawn_actors(caf::actor_system& system, const std::shared_ptr<engine_state>& shared,
                       lane_threads threads);

}  // namespace troupe
