// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Pools of images, as in devices/cpu/pooling.hpp, by cuDNN where its results agree. All inputs are
// contiguous.

const gpu_kernel* max_pool_kernel(dtype type) noexcept;
const gpu_kernel* average_pool_kernel(dtype type) noexcept;
const gpu_kernel* max_pool_gradient_kernel(dtype type) noexcept;
const gpu_kernel* pick_greatest_kernel(dtype type) noexcept;
const gpu_kernel* average_pool_gradient_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
