// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The way of a kernel or a window along one axis.
struct window_way {
  std::int64_t size;
  std::int64_t stride;
  std::int64_t padding;
  std::int64_t dilation = 1;

  /// The number of its positions on an axis where it fits.
  std::int64_t positions(std::int64_t length) const noexcept {
    return (length + 2 * padding - dilation * (size - 1) - 1) / stride + 1;
  }
};

/// Throws unless `x`, [n, channels, ...], and the kernels `weight`, [out, channels / groups, ...],
/// are floating and fit, for a convolution along as many axes as there are ways.
void check_convolution(std::string_view what, const tensor& x, const tensor& weight,
                       std::span<const window_way> ways, std::int64_t groups, caller where);

/// Throws unless `x`, [n, channels, ...], is floating and the windows fit.
void check_pool(std::string_view what, const tensor& x, std::span<const window_way> ways,
                caller where);

}  // namespace troupe
