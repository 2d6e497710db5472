// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The elements at the given positions along an axis, or among all in row-major order. The indices'
/// shape takes the place of the axis; negative ones count from the end. Throws unless the indices
/// are integers. An index that is out of bounds fails the result.
tensor take(const tensor& x, const tensor& indices, std::optional<int> axis = {},
            caller where = caller::current());

extern const operation take_operation;

}  // namespace troupe
