// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/gemm.hpp"

namespace troupe::cuda {

/// Alignment in bytes that a bias needs; its elements must be contiguous.
inline constexpr std::size_t fused_bias_alignment = 16;

/// Computes c = a b + bias or relu(a b + bias), where `bias` has an element for each column of c,
/// by one kernel of a library, on a stream. Returns false, with nothing done, if there is no such
/// kernel. The batch is 1, c is not transposed, no size is 0.
bool fused_gemm(stream& on, dtype type, linear_op op, const product_shape& sizes, const matrices& a,
                const matrices& b, const matrices& c, const void* bias);

}  // namespace troupe::cuda
