// SPDX-License-Identifier: MIT
#include "troupe/actors/frontend_actor.hpp"

#include "troupe/actors/actor_engine.hpp"

namespace troupe {

caf::actor frontend_of(const runtime& rt) {
  if (const auto* e = dynamic_cast<const actor_engine*>(&rt.engine())) return e->frontend();
  throw error("frontend_of: a synchronous runtime has no actors", {});
}

}  // namespace troupe
