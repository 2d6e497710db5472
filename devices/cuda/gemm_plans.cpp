// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/gemm_plans.hpp"

#include <type_traits>
#include <utility>

#include "troupe/devices/cuda/blas_types.hpp"

namespace troupe::cuda {

namespace {

/// Limit of cached plans. A program with more shapes chooses some kernels anew now and then.
constexpr std::size_t most_plans = 256;

constexpr std::uint32_t epilogues[] = {CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS};

using lt_preference = std::unique_ptr<cublasLtMatmulPreferenceOpaque_t,
                                      given_back<&cublaslt_library::destroy_preference>>;

/// Returns the object that the library's `make` creates; null if it fails.
template <class Made, class... Arguments>
Made made_by(cublasStatus_t (*make)(typename Made::pointer*, Arguments...),
             std::type_identity_t<Arguments>... with) {
  typename Made::pointer made = nullptr;
  return Made(make(&made, with...) == CUBLAS_STATUS_SUCCESS ? made : nullptr);
}

template <class T>
bool set(const lt_product& of, cublasLtMatmulDescAttributes_t what, const T& value) {
  return cublaslt_library::get()->set_of_product(of.get(), what, &value, sizeof value) ==
         CUBLAS_STATUS_SUCCESS;
}

template <class T>
bool set(const lt_preference& of, cublasLtMatmulPreferenceAttributes_t what, const T& value) {
  return cublaslt_library::get()->set_of_preference(of.get(), what, &value, sizeof value) ==
         CUBLAS_STATUS_SUCCESS;
}

/// Describes a matrix in memory, in column-major order. `rows` and `columns` are those of the
/// matrix as read, after any transposition.
lt_layout layout_of(cudaDataType_t element, bool transposed, std::int64_t rows,
                    std::int64_t columns, std::int64_t step) {
  if (transposed) std::swap(rows, columns);
  return made_by<lt_layout>(cublaslt_library::get()->create_layout, element,
                            static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                            step);
}

/// Describes the product c' = b' a' of matrices in column-major order. c' is [n, m], so the bias
/// has an element for each of its rows, as the library requires.
bool describe(gemm_plan& plan, const gemm_key& key, const blas_type& as, bool tf32,
              const void* bias) {
  const auto operation = [](bool transposed) -> std::int32_t {
    return transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  };
  plan.product = made_by<lt_product>(cublaslt_library::get()->create_product,
                                     tf32 ? as.compute_with_tf32 : as.compute, as.scale);
  plan.a = layout_of(as.element, key.a_transposed, key.k, key.m, key.a_step);
  plan.b = layout_of(as.element, key.b_transposed, key.n, key.k, key.b_step);
  plan.c = layout_of(as.element, false, key.n, key.m, key.c_step);
  return plan.product && plan.a && plan.b && plan.c &&
         set(plan.product, CUBLASLT_MATMUL_DESC_TRANSA, operation(key.b_transposed)) &&
         set(plan.product, CUBLASLT_MATMUL_DESC_TRANSB, operation(key.a_transposed)) &&
         set(plan.product, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogues[static_cast<int>(key.op)]) &&
         set(plan.product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
}

/// Chooses an algorithm. The library's first matrix is b, its second a; c is both its input, with
/// factor 0, and its output.
bool choose(gemm_plan& plan, const gemm_key& key, cublasLtHandle_t handle,
            std::size_t workspace_bytes) {
  const auto& library = *cublaslt_library::get();
  const auto& [a, b, c, bias] = key.alignments;
  const auto wanted = made_by<lt_preference>(library.create_preference);
  if (!wanted ||
      !set(wanted, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace_bytes}) ||
      // Partial sums are not added up in a narrow float.
      !set(wanted, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
           std::uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE}) ||
      !set(wanted, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, b) ||
      !set(wanted, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, a) ||
      !set(wanted, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, c) ||
      !set(wanted, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, c))
    return false;
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  if (library.best_algorithms(handle, plan.product.get(), plan.b.get(), plan.a.get(), plan.c.get(),
                              plan.c.get(), wanted.get(), 1, &best,
                              &found) != CUBLAS_STATUS_SUCCESS ||
      found == 0 || best.state != CUBLAS_STATUS_SUCCESS || best.workspaceSize > workspace_bytes)
    return false;
  plan.algorithm = best.algo;
  return true;
}

/// Returns NVIDIA's recommendation for Hopper and newer GPUs, or for older ones.
std::size_t recommended_workspace() {
  int gpu = 0, major = 0;
  cudaGetDevice(&gpu);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu);
  return std::size_t{major >= 9 ? 32U : 4U} << 20;
}

}  // namespace

gemm_plans::gemm_plans() : tf32_(tf32_wanted()) {
  const auto* const library = cublaslt_library::get();
  if (library && library->create(&handle_) != CUBLAS_STATUS_SUCCESS) handle_ = nullptr;
  if (!handle_) return;
  workspace_bytes_ = recommended_workspace();
  if (cudaMalloc(&workspace_, workspace_bytes_) == cudaSuccess) return;
  cudaGetLastError();
  workspace_ = nullptr;
  workspace_bytes_ = 0;
}

gemm_plans::~gemm_plans() {
  if (workspace_) cudaFree(workspace_);
  if (handle_) cublaslt_library::get()->destroy(handle_);
}

gemm_plan& gemm_plans::find(const gemm_key& key, const void* bias) {
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (known_.size() == most_plans) known_.clear();
  auto& plan = known_[key];
  const auto* const as = blas_type_of(key.type);
  plan.possible =
      as && describe(plan, key, *as, tf32_, bias) && choose(plan, key, handle_, workspace_bytes_);
  return plan;
}

}  // namespace troupe::cuda
