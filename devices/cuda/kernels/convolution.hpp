// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Convolutions and their gradients, as in devices/cpu/convolution.hpp: by cuDNN where it supports
// them; otherwise as matrix products, by `gemm`, whose columns are the windows of the images.

const gpu_kernel* convolution_kernel(dtype type) noexcept;
const gpu_kernel* convolution_input_gradient_kernel(dtype type) noexcept;
const gpu_kernel* convolution_weight_gradient_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
