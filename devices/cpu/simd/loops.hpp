// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cpu/simd/select.hpp"
#include "troupe/devices/elementwise.hpp"

namespace troupe::cpu_kernels {

/// out[i] = f(inputs[0][i], ...) for i < n, everything contiguous; `out` may be one of the inputs.
using elementwise_loop = void (*)(void* out, const void* const* inputs, std::int64_t n);

/// The loop of each operation for each dtype that it computes in; null where there is none.
struct elementwise_loops {
  elementwise_loop loops[elementwise_op_count][dtype_count];
};

/// The loop that converts from one dtype to another; null to narrow integers from any other dtype
/// than that which they are computed in, and from complex numbers to real ones but bool.
struct cast_loops {
  elementwise_loop loops[dtype_count][dtype_count];
};

TROUPE_DECLARE_TABLE(elementwise_loops, unary_loops)
TROUPE_DECLARE_TABLE(elementwise_loops, binary_loops)
TROUPE_DECLARE_TABLE(cast_loops, conversion_loops)

}  // namespace troupe::cpu_kernels
