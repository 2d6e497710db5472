// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "troupe/tasks/engine.hpp"

namespace troupe {

/// Place where the actors of other systems meet an engine: an actor that answers on the thread of
/// whoever asks. It refuses what the engine can never answer, answers requests for settled values
/// itself and passes others on to the frontend. It belongs to an actor system of its own that has
/// no threads, so a synchronous engine has one, too; and it outlives the engine for those who keep
/// its handle.
class reception {
 public:
  /// `frontend` names no actor if the engine is synchronous.
  reception(engine& of, caf::actor frontend);
  reception(const reception&) = delete;
  reception& operator=(const reception&) = delete;
  /// Refuses requests from now on, except for values that are settled. Earlier ones have reached
  /// the frontend.
  ~reception();

  const caf::actor& desk() const noexcept { return desk_; }

 private:
  caf::actor_system_config config_;
  caf::actor_system system_;
  caf::actor desk_;
};

}  // namespace troupe
