// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor.hpp>

#include "troupe/actors/messages.hpp"
#include "troupe/actors/request_error.hpp"
#include "troupe/actors/runtime.hpp"

namespace troupe {

/// Returns the actor that answers requests of programs' own actors, of any caf::actor_system in
/// this process: `await(x)` and `await_everything{}`. It ends with the runtime: whoever monitors it
/// is told, and later requests for values that are not settled are refused.
caf::actor frontend_of(const runtime& rt);

}  // namespace troupe
