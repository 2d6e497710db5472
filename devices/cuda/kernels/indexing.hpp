// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Counterparts of the CPU's kernels of the same names: see cpu/indexing.hpp and cpu/along_axis.hpp.

const gpu_kernel* concatenate_kernel(dtype type) noexcept;
const gpu_kernel* take_kernel(dtype type) noexcept;
const gpu_kernel* take_along_axis_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
