// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/cublaslt_library.hpp"

#include <optional>
#include <string>

#include "troupe/devices/cuda/cublas_library.hpp"
#include "troupe/devices/cuda/shared_library.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cuda {

namespace {

std::optional<cublaslt_library> load() {
  void* const library = open_toolkit_library("libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR));
  cublaslt_library out{};
  const bool whole = library && bind(library, out.create, "cublasLtCreate") &&
                     bind(library, out.destroy, "cublasLtDestroy") &&
                     bind(library, out.matmul, "cublasLtMatmul") &&
                     bind(library, out.best_algorithms, "cublasLtMatmulAlgoGetHeuristic") &&
                     bind(library, out.create_product, "cublasLtMatmulDescCreate") &&
                     bind(library, out.set_of_product, "cublasLtMatmulDescSetAttribute") &&
                     bind(library, out.destroy_product, "cublasLtMatmulDescDestroy") &&
                     bind(library, out.create_layout, "cublasLtMatrixLayoutCreate") &&
                     bind(library, out.destroy_layout, "cublasLtMatrixLayoutDestroy") &&
                     bind(library, out.create_preference, "cublasLtMatmulPreferenceCreate") &&
                     bind(library, out.set_of_preference, "cublasLtMatmulPreferenceSetAttribute") &&
                     bind(library, out.destroy_preference, "cublasLtMatmulPreferenceDestroy");
  if (whole) return out;
  return {};
}

}  // namespace

const cublaslt_library* cublaslt_library::get() noexcept {
  static constinit made_once<const decltype(load())> loaded;
  const auto& library = loaded.get(load);
  return library ? &*library : nullptr;
}

}  // namespace troupe::cuda
