// SPDX-License-Identifier: MIT
#include "troupe/nn/conv3d.hpp"

#include "troupe/nn/kernel_checks.hpp"

namespace troupe::nn {

conv3d::conv3d(std::int64_t filters, depth_height_width kernel, activation then,
               conv3d_options options, caller where)
    : filters_(filters), kernel_(kernel), then_(then), options_(std::move(options)) {
  detail::check_filters("conv3d", filters, options_.groups, where);
  for (std::size_t i = 0; i < kernel.axes.size(); ++i)
    detail::check_way("conv3d",
                      {kernel[i], options_.stride[i], options_.padding[i], options_.dilation[i]},
                      where);
}

void conv3d::initialise(const tensor& x, caller where) const {
  if (!weight.defined()) detail::check_groups("conv3d", x, options_.groups, where);
  const shape sizes{filters_, x.shape()[1] / options_.groups, kernel_[0], kernel_[1], kernel_[2]};
  detail::first_use(weight, options_.weight, sizes, x, where);
  detail::check_sizes("conv3d", "weight", weight, sizes, where, 1);
  if (options_.bias) {
    detail::first_use(bias, options_.first_bias, {filters_}, x, where);
    detail::check_sizes("conv3d", "bias", bias, {filters_}, where);
  }
  detail::check_channels("conv3d", x, weight.value().shape()[1] * options_.groups, where);
}

tensor conv3d::operator()(const tensor& x, caller where) const {
  detail::check_axes("conv3d", x, 5, "[n, channels, d, h, w]", where);
  initialise(x, where);
  const auto here = x.device();
  const troupe::conv3d_options how{options_.stride, options_.padding, options_.dilation,
                                   options_.groups};
  const auto y = options_.bias
                     ? troupe::conv3d(x, weight.on(here, where), bias.on(here, where), how, where)
                     : troupe::conv3d(x, weight.on(here, where), how, where);
  return then_ ? then_(y, where) : y;
}

}  // namespace troupe::nn
