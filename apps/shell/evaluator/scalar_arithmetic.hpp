// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/language/syntax.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::shell {

/// Arithmetic on two numbers, as Python has it: `/` gives a real, `//` and `%` round down. Throws
/// where an integer does not fit int64, for integers divided by zero, and for bits of a real.
scalar compute(binary_operator op, scalar x, scalar y, caller where);
scalar compute(unary_operator op, scalar x, caller where);

}  // namespace troupe::shell
