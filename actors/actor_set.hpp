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

  /// Asks all actors to quit, in the order in which work flows.
  void quit();
};

/// Spawns the actors of a runtime in `system`. The runtime's own scheduler runs them if `shared`
/// has one, otherwise the actor system does.
actor_set spawn_actors(caf::actor_system& system, const std::shared_ptr<engine_state>& shared);
/// Does the same; if it throws, `all` holds those that were spawned.
void spawn_actors(caf::actor_system& system, const std::shared_ptr<engine_state>& shared,
                  actor_set& all);

}  // namespace troupe
