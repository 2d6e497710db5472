// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

// Pools of images, as devices/cpu/pooling.hpp has them, by cuDNN where it does just that. All
// inputs are contiguous.

const gpu_kernel* max_pool_kernel(dtype type) noexcept;
const gpu_kernel* average_pool_kernel(dtype type) noexcept;
const gpu_kernel* max_pool_gradient_kernel(dtype type) noexcept;
const gpu_kernel* pick_greatest_kernel(dtype type) noexcept;
const gpu_kernel* average_pool_gradient_kernel(dtype type) noexcept;

}  // namespace troupe::cuda
