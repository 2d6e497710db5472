// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Joined along an axis that they have; the other axes must be equal. Dtypes are promoted. Throws
/// for no tensors.
tensor concatenate(const std::vector<tensor>& parts, int axis = 0,
                   caller where = caller::current());
/// Joined along a new axis; their shapes must be equal.
tensor stack(const std::vector<tensor>& parts, int axis = 0, caller where = caller::current());

extern const operation concatenate_operation;

}  // namespace troupe
