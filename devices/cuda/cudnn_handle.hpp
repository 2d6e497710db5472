// SPDX-License-Identifier: MIT
#pragma once

#include <cudnn.h>

#include "troupe/devices/cuda/cudnn_library.hpp"
#include "troupe/devices/cuda/cudnn_plans.hpp"
#include "troupe/devices/cuda/plan_cache.hpp"

namespace troupe::cuda {

/// cuDNN handle for work on a stream of a GPU, with the plans known so far.
class cudnn_handle {
 public:
  /// Creates the handle for the thread's current GPU. Throws std::runtime_error.
  cudnn_handle(const cudnn_library& from, cudaStream_t on, bool tf32);
  cudnn_handle(const cudnn_handle&) = delete;
  cudnn_handle& operator=(const cudnn_handle&) = delete;
  ~cudnn_handle();

  operator cudnnHandle_t() const noexcept { return made_; }

  const cudnn_library& library;
  const bool tf32;
  plan_cache<cudnn_convolution_shape, cudnn_convolution_plan> convolutions;
  plan_cache<cudnn_pool_shape, cudnn_pool_plan> pools;

 private:
  cudnnHandle_t made_ = nullptr;
};

}  // namespace troupe::cuda
