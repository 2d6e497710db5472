// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/elementwise.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// The kernel of an elementwise operation for inputs that promote to `input` (for `where`: its
/// second and third input); null where `types_of(op, input)` is nothing. Inputs are broadcast to
/// the output's shape already. One of another dtype than the operation computes in is converted on
/// the way, so that nobody need cast it before.
const cpu_kernel* elementwise_kernel(elementwise_op op, dtype input) noexcept;

}  // namespace troupe
