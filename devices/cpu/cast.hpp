// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/kernel.hpp"

namespace troupe {

/// Converts elements: floats to integers by truncation (what does not fit, and NaN, becomes the
/// smallest integer), anything to bool by comparing with 0. The output has the input's shape.
const cpu_kernel* cast_kernel(dtype from, dtype to) noexcept;

}  // namespace troupe
