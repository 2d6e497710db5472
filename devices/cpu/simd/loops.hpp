// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cpu/simd/select.hpp"
#include "troupe/devices/elementwise.hpp"

namespace troupe::cpu_kernels {

/// out[i] = f(inputs[0][i], ...) for i < n, everything contiguous; `out` may be one of the inputs.
using elementwise_loop = void (*)(void* out, const void* const* inputs, std::int64_t n);

/// Returns true for operations that loops also do on elements of this narrow dtype as they are
/// stored, with the bits that computing in a wider one and storing gives.
constexpr bool done_as_stored(elementwise_op op, dtype t) noexcept {
  switch (op) {
    case elementwise_op::where: return is_narrow(t);
    case elementwise_op::add:
    case elementwise_op::subtract:
    case elementwise_op::multiply:
    case elementwise_op::maximum:
    case elementwise_op::minimum:
    case elementwise_op::equal:
    case elementwise_op::not_equal:
    case elementwise_op::less:
    case elementwise_op::less_equal:
    case elementwise_op::greater:
    case elementwise_op::greater_equal:
    case elementwise_op::bitwise_and:
    case elementwise_op::bitwise_or:
    case elementwise_op::bitwise_xor: return is_narrow_integer(t);
    default: return false;
  }
}

/// The loop of each operation for each dtype that it computes in, and for those that it does as
/// they are stored; null where there is none.
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
