// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/cudnn_descriptor.hpp"
#include "troupe/devices/cuda/cudnn_shapes.hpp"
#include "troupe/devices/cuda/with_cudnn.hpp"

namespace troupe::cuda {

class cudnn_handle;

/// Convolution as described to cuDNN, and its algorithm. The choice depends on the shapes, the
/// library and the GPU alone: nothing is measured, so results are the same every time.
class cudnn_convolution_plan {
 public:
  /// Makes the plan. Throws std::runtime_error if cuDNN does not support the convolution.
  cudnn_convolution_plan(const cudnn_handle& on, const cudnn_convolution_shape& what);

  std::size_t workspace_bytes() const noexcept { return workspace_bytes_; }
  cudnnStatus_t run(const cudnn_handle& on, const convolution_operands& operands,
                    void* workspace) const;

 private:
  template <class F>
  auto in_order_of_pass(const F& f) const;
  void choose_algorithm(const cudnn_handle& on);

  cudnn_convolution_shape shape_;
  cudnn_tensor images_, results_;
  cudnn_filter weights_;
  cudnn_movement movement_;
  int algorithm_ = 0;  ///< number in the pass's own enumeration
  std::size_t workspace_bytes_ = 0;
};

class cudnn_handle;

/// Pool as described to cuDNN.
class cudnn_pool_plan {
 public:
  /// Makes the plan. Throws std::runtime_error if cuDNN does not support the pool.
  cudnn_pool_plan(const cudnn_handle& on, const cudnn_pool_shape& what);

  cudnnStatus_t run(const cudnn_handle& on, const void* images, void* results) const;

 private:
  cudnn_pool_shape shape_;
  cudnn_tensor images_, results_;
  cudnn_windows windows_;
};

}  // namespace troupe::cuda
