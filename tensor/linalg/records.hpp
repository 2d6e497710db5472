// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "troupe/tasks/operation.hpp"

namespace troupe {

/// The records of linear algebra, in the order of linalg_op.
std::span<const operation> linalg_operations() noexcept;

}  // namespace troupe
