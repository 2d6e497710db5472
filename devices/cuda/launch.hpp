// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Returns the CUDA stream of a stream of a GPU, for anything that CUDA does on streams. The stream
/// checks it.
inline cudaStream_t handle(stream& on) noexcept { return static_cast<cudaStream_t>(on.handle()); }

/// Returns the same for one launch of a kernel, which may go to the GPU together with others, some
/// time later: all that it reads of the host are its parameters.
cudaStream_t handle_for_kernel(stream& on);

/// Throws if a CUDA call failed, with the call and the reason.
inline void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // otherwise the next kernel launch would report it
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

}  // namespace troupe::cuda
