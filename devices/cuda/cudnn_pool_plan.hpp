// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/cudnn_descriptor.hpp"
#include "troupe/devices/cuda/cudnn_shapes.hpp"

namespace troupe::cuda {

class cudnn_handle;

/// Pool as described to cuDNN.
class cudnn_pool_plan {
 public:
  /// Makes the plan. Throws std::runtime_error if cuDNN does not support the pool.
  cudnn_pool_plan(const cudnn_handle& on, const cudnn_pool_shape& what);

  cudnnStatus_t run(const cudnn_handle& on, const void* images, void* results) const;

 private:
  cudnn_pool_shape what_;
  cudnn_tensor images_, results_;
  cudnn_windows windows_;
};

}  // namespace troupe::cuda
