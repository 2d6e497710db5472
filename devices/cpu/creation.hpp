// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

// Kernels without inputs; each takes the attributes it is named after, and is null for a dtype it
// does not make.

const cpu_kernel* fill_kernel(dtype type) noexcept;
const cpu_kernel* arange_kernel(dtype type) noexcept;  ///< not bool
const cpu_kernel* linspace_kernel(
    dtype type) noexcept;  ///< floats; integers are truncated, as in NumPy
const cpu_kernel* eye_kernel(dtype type) noexcept;
const cpu_kernel* uniform_kernel(dtype type) noexcept;  ///< floats in [low, high)
const cpu_kernel* normal_kernel(dtype type) noexcept;   ///< floats
const cpu_kernel* randint_kernel(dtype type) noexcept;  ///< integers in [low, high); high > low

}  // namespace troupe
