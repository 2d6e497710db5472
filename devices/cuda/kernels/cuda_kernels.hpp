// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel_table.hpp"

/// The kernels of CUDA devices, which put their work on streams.

namespace troupe::cuda {

// kernel_families.def says what they do.
#define TROUPE_KERNEL_FAMILY(name, ...) const kernel* name##_kernel(__VA_ARGS__) noexcept;
#include "troupe/devices/kernel_families.def"

extern const kernel_table all_kernels;

}  // namespace troupe::cuda
