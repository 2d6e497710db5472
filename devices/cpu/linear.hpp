// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// [m, k] x [k, n] + [n] -> [m, n], as the matrix product of that dtype with the bias added, and
/// relu if asked for, to each part as it is made; null unless `type` is floating. Inputs have any
/// strides.
const cpu_kernel* linear_kernel(linear_op op, dtype type) noexcept;

}  // namespace troupe
