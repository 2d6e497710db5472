// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/cudnn_shapes.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Puts a pool on a stream. Images and results must meet `lies_for_cudnn`. Returns false if cuDNN
/// does not support it: then another kernel must write the result.
bool pool_with_cudnn(stream& on, const cudnn_pool_shape& what, const void* images, void* results);

}  // namespace troupe::cuda
