// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/dtype.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/devices/update.hpp"

namespace troupe {

/// The kernel of a rule, for parameters of a dtype; null for dtypes other than float32 and float64.
/// Inputs, all of that dtype: the parameter, its states, the gradient, of one shape, and the scale,
/// one number. Outputs: the new parameter and states, any of which may be in the memory of any
/// contiguous input. Attributes: update_attributes.
const cpu_kernel* update_kernel(update_rule rule, dtype element) noexcept;

}  // namespace troupe
