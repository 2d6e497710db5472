// SPDX-License-Identifier: MIT
#pragma once

#include <asmjit/asmjit.h>

#include "troupe/devices/cpu/jit/row_kernel.hpp"
#include "troupe/devices/element_expression.hpp"

namespace troupe::cpu_kernels::jit {

/// Machine code, not yet in its place, that computes an expression.
struct row_code {
  asmjit::CodeHolder holder;
  std::int64_t lanes = 0;  ///< elements at a time

  /// Writes a `row_function`, for AVX-512 if `wide`, else for AVX2. Returns false if the expression
  /// has something that there are no instructions for.
  bool write(const element_expression& e, bool wide);
};

}  // namespace troupe::cpu_kernels::jit
