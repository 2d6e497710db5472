// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "troupe/devices/cuda/cudnn_shapes.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Operands in a GPU's memory that meet `lies_for_cudnn`. The one that a pass computes is written.
struct convolution_operands {
  void *images, *weights, *results;
};

/// Returns the bytes of scratch memory that cuDNN needs for a convolution; nothing if cuDNN does
/// not support it.
std::optional<std::size_t> cudnn_workspace(stream& on, const cudnn_convolution_shape& what);

/// Puts the convolution on the stream. Returns false if cuDNN refuses it after all: then another
/// kernel must write the result.
bool convolve_with_cudnn(stream& on, const cudnn_convolution_shape& what,
                         const convolution_operands& operands, void* workspace);

/// Puts a pool on a stream. Images and results must meet `lies_for_cudnn`. Returns false if cuDNN
/// does not support it: then another kernel must write the result.
bool pool_with_cudnn(stream& on, const cudnn_pool_shape& what, const void* images, void* results);

}  // namespace troupe::cuda
