// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel_table.hpp"

/// The kernels of CPU devices, which run on the threads of their lanes.

namespace troupe::cpu_kernels {

// kernel_families.def says what they do.
#define TROUPE_KERNEL_FAMILY(name, ...) const kernel* name##_kernel(__VA_ARGS__) noexcept;
#include "troupe/devices/kernel_families.def"

extern const kernel_table all_kernels;

}  // namespace troupe::cpu_kernels
