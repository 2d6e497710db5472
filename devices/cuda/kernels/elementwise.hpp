// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/elementwise.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Returns the counterpart of the CPU's kernel of the same name; see cpu/elementwise.hpp.
const gpu_kernel* elementwise_kernel(elementwise_op op, dtype input) noexcept;

}  // namespace troupe::cuda
