// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/gemm.hpp"

#include "troupe/devices/cuda/blas_handle.hpp"
#include "troupe/devices/cuda/column_major.hpp"
#include "troupe/devices/cuda/cublas_library.hpp"

namespace troupe::cuda {

void gemm(stream& on, dtype type, const product_shape& sizes, const matrices& a, const matrices& b,
          const matrices& c, bool add) {
  const auto& [m, n, k, batch] = sizes;
  const bool single = type == float32;
  const auto element = single ? CUDA_R_32F : CUDA_R_64F;
  const auto compute = single ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F;
  const float ones[] = {1}, sums[] = {add ? 1.F : 0.F};
  const double wide_ones[] = {1}, wide_sums[] = {add ? 1. : 0.};
  const void* const one = single ? static_cast<const void*>(ones) : wide_ones;
  const void* const sum = single ? static_cast<const void*>(sums) : wide_sums;
  const auto handle = blas_handle(on);
  const auto a_step = leading(a, m, k), b_step = leading(b, k, n), c_step = leading(c, m, n);
  const auto& library = cublas_library::get();
  // c' = b' a', since all are transposed.
  if (batch == 1)
    library.check(library.gemm(handle, operation(b), operation(a), n, m, k, one, b.data, element,
                               b_step, a.data, element, a_step, sum, c.data, element, c_step,
                               compute, CUBLAS_GEMM_DEFAULT),
                  "cublasGemmEx");
  else
    library.check(library.gemm_strided_batched(
                      handle, operation(b), operation(a), n, m, k, one, b.data, element, b_step,
                      b.batch_step, a.data, element, a_step, a.batch_step, sum, c.data, element,
                      c_step, c.batch_step, batch, compute, CUBLAS_GEMM_DEFAULT),
                  "cublasGemmStridedBatchedEx");
}

}  // namespace troupe::cuda
