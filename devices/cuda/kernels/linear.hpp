// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// [m, k] x [k, n] + [n] -> [m, n], as devices/cpu/linear.hpp has it: by `fused_gemm`, or by `gemm`
/// and a kernel that adds the bias where that cannot. Operands are read as `matmul_kernel` reads
/// them.
const gpu_kernel* linear_kernel(linear_op op, dtype type) noexcept;

}  // namespace troupe::cuda
