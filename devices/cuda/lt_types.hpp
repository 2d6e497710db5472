// SPDX-License-Identifier: MIT
#pragma once

#include <cublasLt.h>

#include "troupe/devices/dtype.hpp"

namespace troupe::cuda {

/// What cublasLt is told of a dtype, and the factors of products and of what was there before.
struct lt_type {
  dtype type;
  cudaDataType_t element;
  cublasComputeType_t compute, compute_with_tf32;
  cudaDataType_t scale;
  const void *one, *zero;  ///< of the type that `scale` says
};

namespace lt_factors {
inline constexpr float one = 1, zero = 0;
inline constexpr double wide_one = 1, wide_zero = 0;
}  // namespace lt_factors

inline constexpr lt_type lt_types[] = {
    {float32, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F,
     &lt_factors::one, &lt_factors::zero},
    {float64, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, &lt_factors::wide_one,
     &lt_factors::wide_zero}};

/// Null for what it does not multiply.
inline const lt_type* lt_type_of(dtype type) noexcept {
  for (const auto& one : lt_types)
    if (one.type == type) return &one;
  return nullptr;
}

}  // namespace troupe::cuda
