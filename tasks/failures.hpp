// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/tasks/error.hpp"

namespace troupe {

/// Throws the earliest failure in program order of those that nobody has been told of, saying how
/// many more there are; all of them count as reported then. Cancelled tasks come last. Returns if
/// there is none. `not_kept` more came up that are not in the list.
void raise_first(std::vector<failure_ptr>& failures, std::uint64_t not_kept = 0);

}  // namespace troupe
