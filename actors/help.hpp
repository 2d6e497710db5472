// SPDX-License-Identifier: MIT
#pragma once

#include <caf/actor_control_block.hpp>

#include "troupe/actors/messages.hpp"

namespace troupe {

// Lanes are asked to help as a tree, so that no actor has to wake many others: place 0 is the
// dependency actor, places 1, 2, ... are the helpers of a plan, and the place `p` asks the places
// after `p * help_fan_out`.

constexpr std::size_t help_fan_out = 4;

/// Asks the lanes below a place to help, in the name of the dependency actor: they report to it.
void pass_on(const help_run& request, const caf::strong_actor_ptr& dependency);

}  // namespace troupe
