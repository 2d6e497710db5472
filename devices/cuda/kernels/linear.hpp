// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Returns the kernel for [m, k] x [k, n] + [n] -> [m, n], as in devices/cpu/linear.hpp: by
/// `fused_gemm`, or where that is not possible by `gemm` and a kernel that adds the bias. Operands
/// are read as by `matmul_kernel`.
const gpu_kernel* linear_kernel(linear_op op, dtype type) noexcept;

}  // namespace troupe::cuda
