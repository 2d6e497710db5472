// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Returns the matrix product's kernel, as in devices/cpu/matmul.hpp. Floats go through `gemm`,
/// which reads transposed operands in place; operands that it cannot read are copied first.
const gpu_kernel* matmul_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
