// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/tensor/program/graph.hpp"

namespace troupe {

/// Elements that a lane takes at a time of joined elementwise steps.
inline constexpr std::int64_t joined_chunk = 32768;

/// Returns true if lanes can share a step, of one result, as well as elementwise ones on as many
/// elements: so these lose little if they are computed chunk by chunk of that step.
bool shared_as_well(const program_step& s, const graph& of, std::int64_t elements);

}  // namespace troupe
