// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/gemm.hpp"

namespace troupe::cuda {

/// How a bias has to lie: its elements side by side, from an address that is a multiple of this.
inline constexpr std::size_t fused_bias_alignment = 16;

/// c = a b + bias or relu(a b + bias), where `bias` has an element for each column of c, as one
/// kernel of a library, on a stream. False, with nothing done, if there is no such kernel. The
/// batch is 1, c does not lie transposed, no size is 0.
bool fused_gemm(stream& on, dtype type, linear_op op, const product_shape& sizes, const matrices& a,
                const matrices& b, const matrices& c, const void* bias);

}  // namespace troupe::cuda
