// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cublas_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace troupe::cuda {

namespace {

/// Where the system finds it, or where it was when this was built.
void* open_library() {
  const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
  if (void* const found = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return found;
  if (void* const found = dlopen((TROUPE_CUDA_LIBRARIES "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL))
    return found;
  throw std::runtime_error("products on GPUs need cuBLAS: " + std::string(dlerror()));
}

template <class F>
void bind(void* library, F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw std::runtime_error("cuBLAS has no " + std::string(name));
}

cublas_library load() {
  void* const library = open_library();
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
