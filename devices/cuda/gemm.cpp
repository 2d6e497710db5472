// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/gemm.hpp"

#include "troupe/devices/cuda/blas_handle.hpp"
#include "troupe/devices/cuda/blas_types.hpp"
#include "troupe/devices/cuda/column_major.hpp"
#include "troupe/devices/cuda/cublas_library.hpp"

namespace troupe::cuda {

void gemm(stream& on, dtype type, const product_shape& sizes, const matrices& a, const matrices& b,
          const matrices& c, bool add) {
  const auto& [m, n, k, batch] = sizes;
  const auto& as = *blas_type_of(type);
  const void* const sum = add ? as.one : as.zero;
  const auto handle = blas_handle(on);
  const auto a_step = leading(a, m, k), b_step = leading(b, k, n), c_step = leading(c, m, n);
  const auto& library = cublas_library::get();
  // c' = b' a', since all are transposed.
  if (batch == 1)
    library.check(library.gemm(handle, operation(b), operation(a), n, m, k, as.one, b.data,
                               as.element, b_step, a.data, as.element, a_step, sum, c.data,
                               as.element, c_step, as.compute, CUBLAS_GEMM_DEFAULT),
                  "cublasGemmEx");
  else
    library.check(library.gemm_strided_batched(
                      handle, operation(b), operation(a), n, m, k, as.one, b.data, as.element,
                      b_step, b.batch_step, a.data, as.element, a_step, a.batch_step, sum, c.data,
                      as.element, c_step, c.batch_step, batch, as.compute, CUBLAS_GEMM_DEFAULT),
                  "cublasGemmStridedBatchedEx");
}

}  // namespace troupe::cuda
