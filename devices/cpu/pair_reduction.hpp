// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cpu_kernels {

/// Returns the kernel of a sum, mean or product of complex numbers; null for other reductions.
/// Partial results are kept in float64.
const kernel* pair_reduction(reduction_op op, dtype input) noexcept;

}  // namespace troupe::cpu_kernels
