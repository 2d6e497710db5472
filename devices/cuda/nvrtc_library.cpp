// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/nvrtc_library.hpp"

#include <cuda_runtime_api.h>
#include <nvrtc.h>

#include <iterator>
#include <optional>

#include "troupe/devices/cuda/cublas_library.hpp"
#include "troupe/devices/cuda/shared_library.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cuda {

namespace {

struct nvrtc_library {
  decltype(nvrtcCreateProgram)* create;
  decltype(nvrtcDestroyProgram)* destroy;
  decltype(nvrtcCompileProgram)* compile;
  decltype(nvrtcGetCUBINSize)* code_size;
  decltype(nvrtcGetCUBIN)* code;
};

std::optional<nvrtc_library> load() {
  void* const library =
      open_toolkit_library("libnvrtc.so." + std::to_string(CUDART_VERSION / 1000));
  nvrtc_library out{};
  const bool whole = library && bind(library, out.create, "nvrtcCreateProgram") &&
                     bind(library, out.destroy, "nvrtcDestroyProgram") &&
                     bind(library, out.compile, "nvrtcCompileProgram") &&
                     bind(library, out.code_size, "nvrtcGetCUBINSize") &&
                     bind(library, out.code, "nvrtcGetCUBIN");
  if (whole) return out;
  return {};
}

}  // namespace

std::vector<char> machine_code_of(const std::string& source, int compute_capability) {
  static constinit made_once<const decltype(load())> loaded;
  const auto& library = loaded.get(load);
  nvrtcProgram made = nullptr;
  if (!library ||
      library->create(&made, source.c_str(), "expression.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS)
    return {};
  const auto architecture = "--gpu-architecture=sm_" + std::to_string(compute_capability);
  const char* const options[] = {architecture.c_str(), "--std=c++17", "--fmad=false"};
  std::vector<char> out;
  std::size_t bytes = 0;
  if (library->compile(made, static_cast<int>(std::size(options)), options) == NVRTC_SUCCESS &&
      library->code_size(made, &bytes) == NVRTC_SUCCESS) {
    out.resize(bytes);
    if (library->code(made, out.data()) != NVRTC_SUCCESS) out.clear();
  }
  library->destroy(&made);
  return out;
}

}  // namespace troupe::cuda
