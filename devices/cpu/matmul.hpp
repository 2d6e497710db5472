// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe {

/// The matrix product [batch..., m, k] x [batch..., k, n] -> [batch..., m, n]. Inputs have the same
/// rank (at least 2) and batch axes broadcast already (stride 0); the output is contiguous. Floats
/// go through OpenBLAS, which reads transposed operands as they lie; integers wrap; bool is the
/// logical or of ands.
const cpu_kernel* matmul_kernel(dtype type) noexcept;

}  // namespace troupe
