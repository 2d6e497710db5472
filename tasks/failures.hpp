// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/tasks/error.hpp"

namespace troupe {

/// Throws the earliest unreported failure in program order, with the number of further ones; all of
/// them then count as reported. Cancelled tasks come last. Returns if there is none. `not_kept` is
/// the number of failures missing from the list.
void raise_first(std::vector<failure_ptr>& failures, std::uint64_t not_kept = 0);

}  // namespace troupe
