// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// What devices/cpu/reduction.hpp says. Sums of float32 are kept in float32, of which many are
/// merged in pairs; variances and products in float64.
const gpu_kernel* reduction_kernel(reduction_op op, dtype input) noexcept;

}  // namespace troupe::cuda
