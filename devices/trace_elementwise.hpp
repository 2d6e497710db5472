// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "troupe/devices/element_expression.hpp"
#include "troupe/devices/elementwise.hpp"

namespace troupe {

/// Adds the forward expression of a row, computed in `compute`, to an expression. The operands are
/// nodes of any dtypes, and are converted. Returns the node of the result; refuses the expression
/// where the row has none for this dtype, or where its own cannot be traced.
std::int16_t trace(element_expression& in, elementwise_op op, dtype compute,
                   std::span<const std::int16_t> operands);

}  // namespace troupe
