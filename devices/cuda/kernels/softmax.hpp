// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// What devices/cpu/softmax.hpp says.
const gpu_kernel* softmax_kernel(softmax_op op, dtype type) noexcept;

}  // namespace troupe::cuda
