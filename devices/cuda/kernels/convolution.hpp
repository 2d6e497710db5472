// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Convolutions and their gradients, as devices/cpu/convolution.hpp has them: by cuDNN where it does
// them, else products of matrices, by `gemm`, whose columns are what the kernel sees of the images
// at each place.

const gpu_kernel* convolution_kernel(dtype type) noexcept;
const gpu_kernel* convolution_input_gradient_kernel(dtype type) noexcept;
const gpu_kernel* convolution_weight_gradient_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
