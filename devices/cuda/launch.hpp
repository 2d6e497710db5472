// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Returns the CUDA stream on which kernels for a stream of a GPU are launched. The stream checks
/// the launch.
inline cudaStream_t handle(stream& on) noexcept { return static_cast<cudaStream_t>(on.handle()); }

}  // namespace troupe::cuda
