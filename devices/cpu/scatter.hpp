// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// Zeros, but where `part_attributes` says, the input's elements: of float32 or float64, null for
/// others.
const cpu_kernel* unslice_kernel(dtype type) noexcept;

/// Zeros, to which slices are added, one for each index: inputs are the slices and the indices
/// (int32 or int64, any shape). The output's axis in `axis_attributes` stands where the slices have
/// the indices' axes. Negative indices count from the end; one that is out of bounds throws
/// std::out_of_range. Null unless float32 or float64.
const cpu_kernel* index_add_kernel(dtype type) noexcept;

}  // namespace troupe
