// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/gpu_kernels.hpp"

namespace troupe {

/// All kernels of CUDA devices.
extern const gpu_kernels cuda_kernels;

}  // namespace troupe
