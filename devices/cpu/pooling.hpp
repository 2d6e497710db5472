// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

// Pools of images [n, channels, h, w]. All inputs are contiguous.

/// The greatest of each window, NaN if there is one; what pads is not there.
const cpu_kernel* max_pool_kernel(dtype type) noexcept;
/// The mean of each window; what pads is 0.
const cpu_kernel* average_pool_kernel(dtype type) noexcept;

/// From the images and the gradient that arrives: zeros, but for the first greatest of each window.
const cpu_kernel* max_pool_gradient_kernel(dtype type) noexcept;
/// From the images and others of the same shape: of these, what lies where the first greatest of
/// each window is.
const cpu_kernel* pick_greatest_kernel(dtype type) noexcept;
/// From the gradient that arrives: an equal part to all of each window.
const cpu_kernel* average_pool_gradient_kernel(dtype type) noexcept;

}  // namespace troupe
