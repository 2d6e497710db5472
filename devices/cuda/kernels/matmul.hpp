// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// The matrix product, as devices/cpu/matmul.hpp has it. Floats go through `gemm`, which reads
/// transposed operands as they lie; what it cannot read is copied first.
const gpu_kernel* matmul_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
