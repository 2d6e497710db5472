// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// Reduces the axes named in `reduction_attributes`; the output holds the other axes in order and
/// has the dtype `reduction_result(op, input)`. Float sums are kept in blocks that are combined in
/// float64; max, min, argmax and argmin give NaN the last word, as NumPy does. argmax and argmin
/// give the row-major index among the reduced axes. Reducing nothing gives 0 (sum), 1 (prod), NaN
/// (mean, variance), -inf (logsumexp), false (any), true (all); max, min, argmax and argmin of
/// nothing must be refused by the caller.
const cpu_kernel* reduction_kernel(reduction_op op, dtype input) noexcept;

}  // namespace troupe
