// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Counterparts of the CPU's kernels of the same names: see cpu/creation.hpp.

const gpu_kernel* fill_kernel(dtype type) noexcept;
const gpu_kernel* arange_kernel(dtype type) noexcept;
const gpu_kernel* linspace_kernel(dtype type) noexcept;
const gpu_kernel* eye_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
