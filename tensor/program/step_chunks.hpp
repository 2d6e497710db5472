// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/program/graph.hpp"

namespace troupe {

/// Returns true if enough lanes can share a step of one result.
bool is_shared(const program_step& s, const graph& of);

}  // namespace troupe
