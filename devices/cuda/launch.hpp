// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Returns the CUDA stream on which kernels for a stream of a GPU are launched. The stream checks
/// the launch.
inline cudaStream_t handle(stream& on) noexcept { return static_cast<cudaStream_t>(on.handle()); }

/// Throws if a CUDA call failed, with the call and the reason.
inline void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // otherwise the next kernel launch would report it
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

}  // namespace troupe::cuda
