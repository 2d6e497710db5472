// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "troupe/devices/cuda/cudnn_shapes.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// In a GPU's memory, as `lies_for_cudnn` wants them. The one that a pass computes is written.
struct convolution_operands {
  void *images, *weights, *results;
};

/// Bytes of scratch memory that cuDNN wants for a convolution; absent where it does not do it.
std::optional<std::size_t> cudnn_workspace(stream& on, const cudnn_convolution_shape& what);

/// Puts it on the stream. False where cuDNN does not do it after all: then another has to write the
/// result.
bool convolve_with_cudnn(stream& on, const cudnn_convolution_shape& what,
                         const convolution_operands& operands, void* workspace);

}  // namespace troupe::cuda
