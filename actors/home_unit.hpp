// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor_system.hpp>
#include <caf/execution_unit.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

namespace troupe {

/// Execution unit that actors run on. What it is asked to run are not actors of the runtime, which
/// go to their slots: it hands them to the actor system they belong to.
class home_unit final : public caf::execution_unit {
 public:
  explicit home_unit(caf::actor_system& system) : caf::execution_unit(&system) {}
  void exec_later(caf::resumable* one) override {
    auto* actor = dynamic_cast<caf::scheduled_actor*>(one);
    (actor ? actor->home_system() : system()).scheduler().enqueue(one);
  }
};

}  // namespace troupe
