// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/elementwise.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Kernels of some of the operations, by the dtype that they compute in; entries of other
/// operations are null.
struct elementwise_table {
  const kernel* kernels[elementwise_op_count][dtype_count] = {};
};

// One for each source file, so that no compilation has to take them all at once.
extern const elementwise_table unary_floating_kernels, unary_kernels, binary_floating_kernels,
    binary_kernels, predicate_kernels, ternary_kernels, complex_kernels;

}  // namespace troupe::cuda
