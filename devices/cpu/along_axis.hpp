// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

/// Both have `along_axis_attributes` and two inputs of the same shape but for that axis: elements
/// and indices (int32 or int64). Negative indices count from the end, except labels; one that is
/// out of bounds throws std::out_of_range.

namespace troupe {

/// out[..., i, ...] = elements[..., indices[..., i, ...], ...]: the output has the shape of the
/// indices.
const cpu_kernel* take_along_axis_kernel(dtype type) noexcept;

/// Zeros to which is added: out[..., indices[..., i, ...], ...] += elements[..., i, ...]. Elements
/// and indices have the same shape. Null unless float32 or float64.
const cpu_kernel* add_along_axis_kernel(dtype type) noexcept;

}  // namespace troupe
