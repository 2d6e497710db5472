// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>

#include <string>

namespace troupe::cuda {

/// What is used of cuBLAS. The library is large and slow to load, so it is loaded with the first
/// product on a GPU.
struct cublas_library {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasSetMathMode) set_math_mode;
  decltype(&cublasGemmEx_64) gemm;
  decltype(&cublasGemmStridedBatchedEx_64) gemm_strided_batched;
  decltype(&cublasGetStatusString) status_text;

  /// Throws std::runtime_error when it cannot be loaded.
  static const cublas_library& get();

  /// Throws what a call says, and which call it was.
  void check(cublasStatus_t result, const char* call) const;
};

}  // namespace troupe::cuda
