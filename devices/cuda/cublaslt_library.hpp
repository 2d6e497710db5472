// SPDX-License-Identifier: MIT
#pragma once

#include <cublasLt.h>

namespace troupe::cuda {

/// Functions used of cublasLt, which comes with cuBLAS: products with a bias and an activation.
/// Loaded at the first of them.
struct cublaslt_library {
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtMatmul) matmul;
  decltype(&cublasLtMatmulAlgoGetHeuristic) best_algorithms;
  decltype(&cublasLtMatmulDescCreate) create_product;
  decltype(&cublasLtMatmulDescSetAttribute) set_of_product;
  decltype(&cublasLtMatmulDescDestroy) destroy_product;
  decltype(&cublasLtMatrixLayoutCreate) create_layout;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_of_preference;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference;

  /// Returns the library, or null if it cannot be loaded.
  static const cublaslt_library* get() noexcept;
};

}  // namespace troupe::cuda
