// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Counterparts of the CPU's kernels of the same names: see cpu/scatter.hpp and cpu/along_axis.hpp.
// Elements are added in the order of the indices, as there.

const gpu_kernel* unslice_kernel(dtype type) noexcept;
const gpu_kernel* index_add_kernel(dtype type) noexcept;
const gpu_kernel* add_along_axis_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
