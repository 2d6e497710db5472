// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Returns the counterpart of the CPU's kernel of the same name; see cpu/cast.hpp.
const gpu_kernel* cast_kernel(dtype from, dtype to) noexcept;

}  // namespace troupe::cuda
