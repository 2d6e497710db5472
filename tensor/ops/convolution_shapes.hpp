// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "troupe/devices/attributes.hpp"
#include "troupe/tensor/ops/convolution.hpp"

namespace troupe {

/// The options, checked as far as they go without shapes.
convolution_attributes checked_options(std::string_view what, const conv2d_options& options,
                                       std::span<const tensor_type> inputs, caller where);

/// Throws unless they are what options can be.
void check_attributes(std::string_view what, const convolution_attributes& given,
                      std::span<const tensor_type> inputs, caller where);

/// The shape of the convolution of `images` with `weights`, which are made of `inputs`. Throws
/// naming these if they do not fit.
shape convolution_shape(std::string_view what, const shape& images, const shape& weights,
                        const convolution_attributes& given, std::span<const tensor_type> inputs,
                        caller where);

/// Throws unless both inputs are images or kernels: of rank 4, with floating numbers.
void check_images(std::string_view what, std::span<const tensor_type> inputs, caller where);

}  // namespace troupe
