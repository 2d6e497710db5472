// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cublas_library.hpp"

#include <stdexcept>

#include "troupe/devices/cuda/shared_library.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cuda {

void* open_toolkit_library(const std::string& file) {
  return open_library(file, TROUPE_CUDA_LIBRARIES);
}

namespace {

cublas_library load() {
  void* const library = open_toolkit_library("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
  if (!library) throw std::runtime_error("products on GPUs need cuBLAS: " + std::string(dlerror()));
  cublas_library out{};
  const auto take = [&](auto& function, const char* name) {
    if (!bind(library, function, name))
      throw std::runtime_error("cuBLAS has no " + std::string(name));
  };
  take(out.create, "cublasCreate_v2");
  take(out.destroy, "cublasDestroy_v2");
  take(out.set_stream, "cublasSetStream_v2");
  take(out.set_math_mode, "cublasSetMathMode");
  take(out.gemm, "cublasGemmEx_64");
  take(out.gemm_strided_batched, "cublasGemmStridedBatchedEx_64");
  take(out.status_text, "cublasGetStatusString");
  return out;
}

}  // namespace

const cublas_library& cublas_library::get() {
  static constinit made_once<const decltype(load())> loaded;
  return loaded.get(load);
}

void cublas_library::check(cublasStatus_t result, const char* call) const {
  if (result != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + status_text(result));
}

}  // namespace troupe::cuda
