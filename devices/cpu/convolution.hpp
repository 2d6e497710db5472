// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe {

/// The convolution (without turning the kernel round) of images x [n, channels, h, w] with weights
/// [features, channels / groups, kernel h, kernel w], and a bias [features] for each feature's
/// image if there is a third input. The output is [n, features, h', w'].
const cpu_kernel* convolution_kernel(dtype type) noexcept;

/// The gradient of the convolution's images: from the one that arrives, [n, features, h', w'], and
/// the weights.
const cpu_kernel* convolution_input_gradient_kernel(dtype type) noexcept;

/// The gradient of the convolution's weights: from the images and the gradient that arrives.
const cpu_kernel* convolution_weight_gradient_kernel(dtype type) noexcept;

}  // namespace troupe
