// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// What the CPU's kernels of the same names do: see cpu/creation.hpp. The numbers are the CPU's,
// too: uniform ones and integers to the bit, normal ones but for what the logarithm, the sine and
// the cosine differ in.

const gpu_kernel* uniform_kernel(dtype type) noexcept;
const gpu_kernel* normal_kernel(dtype type) noexcept;
const gpu_kernel* randint_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
