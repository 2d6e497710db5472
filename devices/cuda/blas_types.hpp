// SPDX-License-Identifier: MIT
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/devices/driver.hpp"
#include "troupe/devices/dtype.hpp"

namespace troupe::cuda {

/// Descriptions of a dtype for cuBLAS and cublasLt, and the factors of the product and of the
/// previous contents.
struct blas_type {
  dtype type;
  cudaDataType_t element;
  cublasComputeType_t compute, compute_with_tf32;
  cudaDataType_t scale;
  const void *one, *zero;  ///< of the type `scale`
};

namespace blas_factors {
inline constexpr float one = 1, zero = 0;
inline constexpr double wide_one = 1, wide_zero = 0;
}  // namespace blas_factors

inline constexpr blas_type blas_types[] = {
    {float32, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F,
     &blas_factors::one, &blas_factors::zero},
    {float16, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, &blas_factors::one,
     &blas_factors::zero},
    {bfloat16, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, &blas_factors::one,
     &blas_factors::zero},
    {float64, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F,
     &blas_factors::wide_one, &blas_factors::wide_zero}};

/// Returns the entry of a dtype, or null if the libraries do not multiply it.
inline const blas_type* blas_type_of(dtype type) noexcept {
  for (const auto& one : blas_types) {
    if (one.type == type) return &one;
  }
  return nullptr;
}

/// Returns the cuBLAS handle for work on a stream of a GPU; each stream has its own.
cublasHandle_t blas_handle(stream& on);

// cuBLAS matrices are column-major; a row-major matrix is the transpose of one. For c = a b it
// computes c' = b' a'.

inline cublasOperation_t operation(const matrices& x) noexcept {
  return x.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// Returns the step, raised to the minimum of cuBLAS where a single row makes it irrelevant.
inline std::int64_t leading(const matrices& x, std::int64_t rows, std::int64_t columns) noexcept {
  return std::max(x.step, x.transposed ? rows : columns);
}

/// Returns true if the user wants float32 products with only the first 10 bits of the fractions,
/// which GPUs compute several times as fast.
inline bool tf32_wanted() noexcept {
  const char* const set = std::getenv("TROUPE_TF32");
  return set && std::string_view(set) == "1";
}

}  // namespace troupe::cuda
