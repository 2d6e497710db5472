// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

namespace troupe::cuda {

constinit const kernel_table all_kernels{
#define TROUPE_KERNEL_FAMILY(name, ...) .name = name##_kernel,
#include "troupe/devices/kernel_families.def"
};

}  // namespace troupe::cuda
