// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/tensor/ops/window_checks.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe::nn::detail {

/// Throws, naming the layer, for fewer than one filter or group, and filters that are no multiple
/// of the groups.
void check_filters(std::string_view layer, std::int64_t filters, std::int64_t groups, caller where);
/// Throws, naming the layer, for a kernel, stride or dilation below 1 and a negative padding.
void check_way(std::string_view layer, const window_way& way, caller where);
/// Throws, naming the layer, unless x is floating-point and has as many axes as `sizes` names, such
/// as "[n, channels, length]".
void check_axes(std::string_view layer, const tensor& x, int axes, std::string_view sizes,
                caller where);
/// Throws, naming the layer, unless the channels of x are a multiple of the groups.
void check_groups(std::string_view layer, const tensor& x, std::int64_t groups, caller where);
/// Throws, naming the layer, unless x has as many channels as the layer learnt.
void check_channels(std::string_view layer, const tensor& x, std::int64_t channels, caller where);

}  // namespace troupe::nn::detail
