// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Returns a softmax kernel as described in devices/cpu/softmax.hpp.
const gpu_kernel* softmax_kernel(softmax_op op, dtype type) noexcept;

}  // namespace troupe::cuda
