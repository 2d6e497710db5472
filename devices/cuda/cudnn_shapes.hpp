// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "troupe/devices/array.hpp"
#include "troupe/devices/attributes.hpp"

// Convolutions and pools in cuDNN's numbers, which have 32 bits. Arrays without elements, or with
// sizes beyond 32 bits, have no such numbers and need our own kernels.

namespace troupe::cuda {

/// Returns true if an operand is laid out in memory as cuDNN requires.
inline bool lies_for_cudnn(const array& x) noexcept {
  return x.contiguous() && reinterpret_cast<std::uintptr_t>(x.data) % 16 == 0;
}

/// Pass to compute: a convolution's results, or the gradients of its images or its weights.
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

/// Kind of pool: the greatest or the mean of each window, with padding counted as 0. Gradients of
/// the images use our own kernels: cuDNN does not promise to choose the first of equal elements as
/// the greatest, and for means it requires the images and the means, which are not kept.
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
