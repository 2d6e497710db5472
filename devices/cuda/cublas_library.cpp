// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cublas_library.hpp"

#include <dlfcn.h>
#include <stdexcept>

namespace troupe::cuda {

void* open_toolkit_library(const std::string& file) {
  if (void* const found = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return found;
  return dlopen((TROUPE_CUDA_LIBRARIES "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL);
}

namespace {

template <class F>
void bind(void* library, F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw std::runtime_error("cuBLAS has no " + std::string(name));
}

cublas_library load() {
  void* const library = open_toolkit_library("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
  if (!library) throw std::runtime_error("products on GPUs need cuBLAS: " + std::string(dlerror()));
  cublas_library out{};
  bind(library, out.create, "cublasCreate_v2");
  bind(library, out.destroy, "cublasDestroy_v2");
  bind(library, out.set_stream, "cublasSetStream_v2");
  bind(library, out.set_math_mode, "cublasSetMathMode");
  bind(library, out.gemm, "cublasGemmEx_64");
  bind(library, out.gemm_strided_batched, "cublasGemmStridedBatchedEx_64");
  bind(library, out.status_text, "cublasGetStatusString");
  return out;
}

}  // namespace

const cublas_library& cublas_library::get() {
  static const auto loaded = load();
  return loaded;
}

void cublas_library::check(cublasStatus_t result, const char* call) const {
  if (result != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + status_text(result));
}

}  // namespace troupe::cuda
