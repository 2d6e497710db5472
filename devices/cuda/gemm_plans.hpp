// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/cublaslt_library.hpp"
#include "troupe/devices/cuda/gemm.hpp"

namespace troupe::cuda {

/// Properties of a product on which the choice of a kernel depends.
struct gemm_key {
  dtype type;
  linear_op op;
  bool a_transposed, b_transposed;
  std::int64_t m, n, k;
  std::int64_t a_step, b_step, c_step;
  std::array<std::uint32_t, 4> alignments;  ///< in bytes, of a, b, c and the bias

  auto operator<=>(const gemm_key&) const = default;
};

/// Deleter of objects created by cublasLt.
template <auto Destroy>
struct given_back {
  template <class T>
  void operator()(T* made) const noexcept {
    (cublaslt_library::get()->*Destroy)(made);
  }
};
using lt_product =
    std::unique_ptr<cublasLtMatmulDescOpaque_t, given_back<&cublaslt_library::destroy_product>>;
using lt_layout =
    std::unique_ptr<cublasLtMatrixLayoutOpaque_t, given_back<&cublaslt_library::destroy_layout>>;

/// Product as described to cublasLt, except for the addresses.
struct gemm_plan {
  lt_product product;
  lt_layout a, b, c;
  cublasLtMatmulAlgo_t algorithm{};
  bool possible = false;
};

/// Plans of one stream: choosing a kernel costs as much as several launches. Creates a cublasLt
/// handle for the thread's current GPU.
class gemm_plans {
 public:
  gemm_plans();
  gemm_plans(const gemm_plans&) = delete;
  gemm_plans& operator=(const gemm_plans&) = delete;
  ~gemm_plans();

  /// Returns the handle, or null if cublasLt is not available.
  cublasLtHandle_t handle() const noexcept { return handle_; }
  /// Returns working memory, shared by the products since they run one after the other.
  void* workspace() const noexcept { return workspace_; }
  std::size_t workspace_bytes() const noexcept { return workspace_bytes_; }
  /// Returns the plan of a product, and makes it first if needed. The bias is passed for its
  /// alignment. cublasLt must be available.
  gemm_plan& find(const gemm_key& key, const void* bias);

 private:
  const bool tf32_;
  cublasLtHandle_t handle_ = nullptr;
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  std::map<gemm_key, gemm_plan> known_;
};

/// Returns the plans of a stream of a GPU.
gemm_plans& plans_for(stream& on);

}  // namespace troupe::cuda
