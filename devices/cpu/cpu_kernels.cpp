// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

namespace troupe::cpu_kernels {

constinit const kernel_table all_kernels{
#define TROUPE_KERNEL_FAMILY(name, ...) .name = name##_kernel,
#include "troupe/devices/kernel_families.def"
};

}  // namespace troupe::cpu_kernels
