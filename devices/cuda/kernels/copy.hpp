// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Returns the counterpart of the CPU's kernel of the same name; see cpu/copy.hpp.
const gpu_kernel* copy_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
