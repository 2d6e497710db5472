// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace troupe::cuda {

/// Throws what a call of CUDA says, and which call it was.
inline void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // else the next launch of a kernel would report it
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

}  // namespace troupe::cuda
