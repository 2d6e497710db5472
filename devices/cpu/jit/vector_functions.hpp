// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/element_expression.hpp"

namespace troupe::cpu_kernels::jit {

/// The function on whole vectors that the compiled loops of elementwise operations call, too: of
/// 64 bytes if `wide`, else of 32, of double or float. Null where those call the one on single
/// numbers.
const void* vector_function(math_function f, bool wide, bool doubles) noexcept;

/// Number of a function's arguments.
int arity(math_function f) noexcept;

}  // namespace troupe::cpu_kernels::jit
