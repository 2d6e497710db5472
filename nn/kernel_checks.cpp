// SPDX-License-Identifier: MIT
#include "troupe/nn/kernel_checks.hpp"

#include "troupe/nn/initialiser.hpp"

namespace troupe::nn::detail {

void check_filters(std::string_view layer, std::int64_t filters, std::int64_t groups,
                   caller where) {
  const std::string who(layer);
  if (filters < 1)
    throw error(who + ": " + std::to_string(filters) + " filters: there must be one at least",
                where);
  if (groups < 1 || filters % groups != 0)
    throw error(
        who + ": " + std::to_string(filters) + " filters in " + std::to_string(groups) + " groups",
        where);
}

void check_way(std::string_view layer, const window_way& way, caller where) {
  const auto require = [&](const char* what, std::int64_t number, std::int64_t least) {
    if (number < least)
      throw error(std::string(layer) + ": the " + what + " is " + std::to_string(number) +
                      " and must be " + std::to_string(least) + " or more",
                  where);
  };
  require("kernel", way.size, 1);
  require("stride", way.stride, 1);
  require("padding", way.padding, 0);
  require("dilation", way.dilation, 1);
}

void check_axes(std::string_view layer, const tensor& x, int axes, std::string_view sizes,
                caller where) {
  check_layer_input(layer, x, axes, where);
  if (x.rank() != axes)
    throw error(std::string(layer) + ": x is " + to_string(x.type()) + ", but must be " +
                    std::string(sizes),
                where);
}

void check_groups(std::string_view layer, const tensor& x, std::int64_t groups, caller where) {
  if (x.shape()[1] % groups != 0)
    throw error(std::string(layer) + ": x is " + to_string(x.type()) +
                    ", whose channels are no multiple of " + std::to_string(groups) + " groups",
                where);
}

void check_channels(std::string_view layer, const tensor& x, std::int64_t channels, caller where) {
  if (x.shape()[1] != channels)
    throw error(std::string(layer) + ": " + std::to_string(channels) +
                    " channels expected, but x is " + to_string(x.type()),
                where);
}

}  // namespace troupe::nn::detail
