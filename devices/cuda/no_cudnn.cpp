// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/open_cudnn.hpp"
#include "troupe/devices/cuda/with_cudnn.hpp"

// Substitutes for cuDNN in builds without it; they do nothing.

namespace troupe::cuda {

std::shared_ptr<cudnn_handle> open_cudnn(cudaStream_t, bool) { return nullptr; }

std::optional<std::size_t> cudnn_workspace(stream&, const cudnn_convolution_shape&) {
  return std::nullopt;
}

bool convolve_with_cudnn(stream&, const cudnn_convolution_shape&, const convolution_operands&,
                         void*) {
  return false;
}

bool pool_with_cudnn(stream&, const cudnn_pool_shape&, const void*, void*) { return false; }

}  // namespace troupe::cuda
