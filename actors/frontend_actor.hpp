// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor.hpp>

#include "troupe/actors/messages.hpp"
#include "troupe/actors/runtime.hpp"

namespace troupe {

/// Returns the runtime's frontend, for programs that are actors themselves: actors of any
/// caf::actor_system in this process may send it requests. Throws for a synchronous runtime, which
/// has no actors.
///
///     request(frontend_of(rt), caf::infinite, await_value{t.source()})
///         .then([=](value_resolved) { use(t.to_vector<float>()); },
///               [](const caf::error& e) { ... });
caf::actor frontend_of(const runtime& rt);

}  // namespace troupe
