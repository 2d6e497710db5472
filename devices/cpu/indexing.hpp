// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// Joins one or more inputs of this dtype along the axis in `axis_attributes`.
const cpu_kernel* concatenate_kernel(dtype type) noexcept;

/// Picks along an axis: inputs are the data and the indices (int32 or int64, any shape), the
/// output's shape is the data's with the axis replaced by the indices' shape. Negative indices
/// count from the end; one that is out of bounds throws std::out_of_range.
const cpu_kernel* take_kernel(dtype type) noexcept;

}  // namespace troupe
