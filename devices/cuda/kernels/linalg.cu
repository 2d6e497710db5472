// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

namespace troupe::cuda {

// Linear algebra is computed by CPUs.
const kernel* linalg_kernel(linalg_op, dtype) noexcept { return nullptr; }

}  // namespace troupe::cuda
