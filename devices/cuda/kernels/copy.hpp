// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// What the CPU's kernel of the same name does; see cpu/copy.hpp.
const gpu_kernel* copy_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
