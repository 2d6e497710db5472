// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "troupe/devices/array.hpp"
#include "troupe/devices/attributes.hpp"

// Convolutions and pools in the numbers of cuDNN, which have 32 bits. What has no elements, and
// what 32 bits cannot count, has no such numbers: it is for kernels of our own.

namespace troupe::cuda {

/// True if an operand lies in memory as it is to for cuDNN.
inline bool lies_for_cudnn(const array& x) noexcept {
  return x.contiguous() && reinterpret_cast<std::uintptr_t>(x.data) % 16 == 0;
}

/// What is computed: a convolution's results, or what comes back to its images or its weights.
enum class convolution_pass : std::uint8_t { results, images, weights };

struct cudnn_convolution_shape {
  convolution_pass pass;
  dtype type;
  int images[4], weights[4], results[4];
  int padding[2], stride[2], dilation[2];
  int groups;

  friend auto operator<=>(const cudnn_convolution_shape&, const cudnn_convolution_shape&) = default;
};

std::optional<cudnn_convolution_shape> cudnn_shape(convolution_pass pass,
                                                   const convolution_attributes& given,
                                                   const array& images, const array& weights,
                                                   const array& results) noexcept;

/// The greatest or the mean of each window, where what pads counts as 0. What comes back to the
/// images is for kernels of our own: from the greatest to the first of equal elements, which cuDNN
/// does not promise, and from the means without the images and the means, which it asks for.
enum class pool_kind : std::uint8_t { greatest, mean };

struct cudnn_pool_shape {
  pool_kind kind;
  dtype type;
  int images[4], results[4];
  int size[2], padding[2], stride[2];

  friend auto operator<=>(const cudnn_pool_shape&, const cudnn_pool_shape&) = default;
};

std::optional<cudnn_pool_shape> cudnn_shape(pool_kind kind, const pooling_attributes& given,
                                            const array& images, const array& results) noexcept;

}  // namespace troupe::cuda
