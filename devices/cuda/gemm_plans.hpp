// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/cublaslt_library.hpp"
#include "troupe/devices/cuda/fused_gemm.hpp"

namespace troupe::cuda {

/// All that the choice of a kernel for a product depends on.
struct gemm_key {
  dtype type;
  linear_op op;
  bool a_transposed, b_transposed;
  std::int64_t m, n, k;
  std::int64_t a_step, b_step, c_step;
  std::array<std::uint32_t, 4> alignments;  ///< in bytes, of a, b, c and the bias

  auto operator<=>(const gemm_key&) const = default;
};

/// What cublasLt made, and a function of the library takes back.
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

/// A product as cublasLt is told of it, but for the addresses.
struct gemm_plan {
  lt_product product;
  lt_layout a, b, c;
  cublasLtMatmulAlgo_t algorithm{};
  bool possible = false;
};

/// The plans of one stream: choosing a kernel costs as much as several launches. Makes a handle of
/// cublasLt for the thread's current GPU.
class gemm_plans {
 public:
  gemm_plans();
  gemm_plans(const gemm_plans&) = delete;
  gemm_plans& operator=(const gemm_plans&) = delete;
  ~gemm_plans();

  /// Null if cublasLt is not there.
  cublasLtHandle_t handle() const noexcept { return handle_; }
  /// Memory for products to work in: one does after the other.
  void* workspace() const noexcept { return workspace_; }
  std::size_t workspace_bytes() const noexcept { return workspace_bytes_; }
  /// What is known, or found out now. The bias is there for its alignment. cublasLt is there.
  gemm_plan& find(const gemm_key& key, const void* bias);

 private:
  const bool tf32_;
  cublasLtHandle_t handle_ = nullptr;
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  std::map<gemm_key, gemm_plan> known_;
};

/// Those of a stream of a GPU.
gemm_plans& plans_for(stream& on);

}  // namespace troupe::cuda
