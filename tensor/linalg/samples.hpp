// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/devices/attributes.hpp"
#include "troupe/tasks/operation.hpp"

namespace troupe::linalg::detail {

/// Returns the inputs that the generic tests call an operation with.
template <linalg_op Op>
std::vector<sample> samples();

}  // namespace troupe::linalg::detail
