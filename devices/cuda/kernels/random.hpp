// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Counterparts of the CPU's kernels of the same names: see cpu/creation.hpp. The numbers are the
// same, too: uniform ones and integers bit for bit, normal ones except for differences in the
// logarithm, the sine and the cosine.

const gpu_kernel* uniform_kernel(dtype type) noexcept;
const gpu_kernel* normal_kernel(dtype type) noexcept;
const gpu_kernel* randint_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
