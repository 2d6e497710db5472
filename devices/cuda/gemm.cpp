// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/gemm.hpp"

#include <cstdint>

#include "troupe/devices/cuda/blas_types.hpp"
#include "troupe/devices/cuda/cublas_library.hpp"
#include "troupe/devices/cuda/gemm_plans.hpp"
#include "troupe/devices/cuda/launch.hpp"

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

namespace {

/// Returns the greatest power of two that divides an address, up to 256, the most that kernels ask
/// for.
std::uint32_t alignment_of(const void* address) noexcept {
  const auto bits = reinterpret_cast<std::uintptr_t>(address) | 256;
  return static_cast<std::uint32_t>(bits & -bits);
}

}  // namespace

bool fused_gemm(stream& on, dtype type, linear_op op, const product_shape& sizes, const matrices& a,
                const matrices& b, const matrices& c, const void* bias) {
  auto& plans = plans_for(on);
  if (!plans.handle()) return false;
  const auto& [m, n, k, batch] = sizes;
  const gemm_key key{
      type,
      op,
      a.transposed,
      b.transposed,
      m,
      n,
      k,
      leading(a, m, k),
      leading(b, k, n),
      leading(c, m, n),
      {alignment_of(a.data), alignment_of(b.data), alignment_of(c.data), alignment_of(bias)}};
  auto& plan = plans.find(key, bias);
  if (!plan.possible) return false;
  const auto& library = *cublaslt_library::get();
  const auto& as = *blas_type_of(type);
  plan.possible = library.set_of_product(plan.product.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                                         &bias, sizeof bias) == CUBLAS_STATUS_SUCCESS &&
                  library.matmul(plans.handle(), plan.product.get(), as.one, b.data, plan.b.get(),
                                 a.data, plan.a.get(), as.zero, c.data, plan.c.get(), c.data,
                                 plan.c.get(), &plan.algorithm, plans.workspace(),
                                 plans.workspace_bytes(), handle(on)) == CUBLAS_STATUS_SUCCESS;
  if (!plan.possible) cudaGetLastError();  // its error must not be reported by the next kernel
  return plan.possible;
}

}  // namespace troupe::cuda
