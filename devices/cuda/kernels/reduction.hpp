// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Returns a reduction's kernel as described in devices/cpu/reduction.hpp. Sums of float32 are
/// computed in float32, mostly merged in pairs; variances and products in float64.
const gpu_kernel* reduction_kernel(reduction_op op, dtype input) noexcept;

}  // namespace troupe::cuda
