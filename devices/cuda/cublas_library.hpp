// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>

#include <string>

namespace troupe::cuda {

/// Loads a library of the CUDA toolkit from where the system finds it, or from its location at
/// build time; returns null, with the reason in dlerror(), if it is in neither place.
void* open_toolkit_library(const std::string& file);

/// Functions used of cuBLAS. The library is large and slow to load, so it is loaded at the first
/// product on a GPU.
struct cublas_library {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasSetMathMode) set_math_mode;
  decltype(&cublasGemmEx_64) gemm;
  decltype(&cublasGemmStridedBatchedEx_64) gemm_strided_batched;
  decltype(&cublasGetStatusString) status_text;

  /// Returns the library. Throws std::runtime_error if it cannot be loaded.
  static const cublas_library& get();

  /// Throws if a call failed, with the call and the reason.
  void check(cublasStatus_t result, const char* call) const;
};

}  // namespace troupe::cuda
