// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace troupe::cuda {

/// Throws if a CUDA call failed, with the call and the reason.
inline void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // otherwise the next kernel launch would report it
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

}  // namespace troupe::cuda
