// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/cudnn_shapes.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Puts a pool on a stream. Images and results lie as `lies_for_cudnn` wants them.
/// False where cuDNN does not do it: then another has to write the result.
bool pool_with_cudnn(stream& on, const cudnn_pool_shape& what, const void* images, void* results);

}  // namespace troupe::cuda
