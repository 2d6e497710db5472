// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include "troupe/devices/cuda/kernels/elementwise_tables.hpp"

namespace troupe::cuda {

const kernel* elementwise_kernel(elementwise_op op, dtype input) noexcept {
  const auto types = types_of(op, input);
  if (!types) return nullptr;
  const bool narrow = is_narrow(input) && !is_complex(types->result);
  const auto compute = narrow ? input : types->compute;
  for (const auto* table :
       {&unary_floating_kernels, &unary_kernels, &binary_floating_kernels, &binary_kernels,
        &predicate_kernels, &ternary_kernels, &complex_kernels}) {
    if (const auto* kernel = table->kernels[static_cast<int>(op)][static_cast<int>(compute)])
      return kernel;
  }
  return nullptr;
}

}  // namespace troupe::cuda
