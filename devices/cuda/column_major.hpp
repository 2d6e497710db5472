// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>

#include <algorithm>

#include "troupe/devices/cuda/gemm.hpp"

namespace troupe::cuda {

// cuBLAS matrices are column-major; a row-major matrix is the transpose of one. For c = a b it
// computes c' = b' a'.

inline cublasOperation_t operation(const matrices& x) noexcept {
  return x.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// Returns the step, raised to the minimum of cuBLAS where a single row makes it irrelevant.
inline std::int64_t leading(const matrices& x, std::int64_t rows, std::int64_t columns) noexcept {
  return std::max(x.step, x.transposed ? rows : columns);
}

}  // namespace troupe::cuda
