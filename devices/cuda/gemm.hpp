// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe::cuda {

/// Matrices of a batch, in row-major order: element (i, j) of matrix b has index `b * batch_step +
/// i * step + j`, or, if transposed, `b * batch_step + i + j * step`. A batch step of 0 repeats one
/// matrix.
struct matrices {
  void* data;
  std::int64_t step;
  std::int64_t batch_step = 0;
  bool transposed = false;
};

/// Sizes of a product: [m, k] x [k, n] -> [m, n], `batch` times.
struct product_shape {
  std::int64_t m, n, k;
  std::int64_t batch = 1;
};

/// Computes c = a b, or with `add` c += a b, of floats, on a stream; c is not transposed. Narrow
/// floats are added up in float32. No size is 0.
void gemm(stream& on, dtype type, const product_shape& sizes, const matrices& a, const matrices& b,
          const matrices& c, bool add = false);

/// Alignment in bytes that a bias needs; its elements must be contiguous.
inline constexpr std::size_t fused_bias_alignment = 16;

/// Computes c = a b + bias or relu(a b + bias), where `bias` has an element for each column of c,
/// by one kernel of a library, on a stream. Returns false, with nothing done, if there is no such
/// kernel. The batch is 1, c is not transposed, no size is 0.
bool fused_gemm(stream& on, dtype type, linear_op op, const product_shape& sizes, const matrices& a,
                const matrices& b, const matrices& c, const void* bias);

}  // namespace troupe::cuda
