// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

namespace troupe::cuda {

// In builds without cuSOLVER, CPUs compute linear algebra.
const kernel* linalg_kernel(linalg_op, dtype) noexcept { return nullptr; }

}  // namespace troupe::cuda
