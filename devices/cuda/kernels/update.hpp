// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"
#include "troupe/devices/update.hpp"

namespace troupe::cuda {

/// Returns the counterpart of the CPU's kernel of the same name: see cpu/update.hpp.
const gpu_kernel* update_kernel(update_rule rule, dtype element) noexcept;

}  // namespace troupe::cuda
