// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/gemm.hpp"

namespace troupe::cuda {

/// Memory of the GPU for products to work in, aligned to 256 bytes.
struct workspace {
  void* data;
  std::size_t bytes;
};

/// Bytes of workspace that are worth having for a product of so many bytes.
std::size_t fused_workspace_bytes(std::size_t of_product);

/// How a bias has to lie: its elements side by side, from an address that is a multiple of this.
inline constexpr std::size_t fused_bias_alignment = 16;

/// c = a b + bias or relu(a b + bias), where `bias` has an element for each column of c, as one kernel of a library, on a
/// stream. False, with nothing done, if there is no such kernel. The batch is 1, c does not lie transposed, no size is 0.
bool fused_gemm(stream& on, dtype type, linear_op op, const product_shape& sizes, const matrices& a,
                const matrices& b, const matrices& c, const void* bias, const workspace& memory);

}  // namespace troupe::cuda
