// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/cudnn_library.hpp"

namespace troupe::cuda {

/// cuDNN descriptor of an operand or an operation.
template <class Descriptor, auto Create, auto Destroy>
class cudnn_descriptor {
 public:
  /// Creates the descriptor. Throws std::runtime_error.
  explicit cudnn_descriptor(const cudnn_library& library) : library_(library) {
    library.check((library.*Create)(&made_), "a descriptor for cuDNN");
  }
  cudnn_descriptor(const cudnn_descriptor&) = delete;
  cudnn_descriptor& operator=(const cudnn_descriptor&) = delete;
  ~cudnn_descriptor() { (library_.*Destroy)(made_); }

  operator Descriptor() const noexcept { return made_; }

 private:
  const cudnn_library& library_;
  Descriptor made_ = nullptr;
};

using cudnn_tensor = cudnn_descriptor<cudnnTensorDescriptor_t, &cudnn_library::create_tensor,
                                      &cudnn_library::destroy_tensor>;
using cudnn_filter = cudnn_descriptor<cudnnFilterDescriptor_t, &cudnn_library::create_filter,
                                      &cudnn_library::destroy_filter>;
using cudnn_movement =
    cudnn_descriptor<cudnnConvolutionDescriptor_t, &cudnn_library::create_convolution,
                     &cudnn_library::destroy_convolution>;
using cudnn_windows = cudnn_descriptor<cudnnPoolingDescriptor_t, &cudnn_library::create_pool,
                                       &cudnn_library::destroy_pool>;

}  // namespace troupe::cuda
