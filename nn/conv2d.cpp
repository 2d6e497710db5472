// SPDX-License-Identifier: MIT
#include "troupe/nn/conv2d.hpp"

#include "troupe/nn/kernel_checks.hpp"
#include "troupe/tensor/ops/convolution.hpp"

namespace troupe::nn {

conv2d::conv2d(std::int64_t filters, height_width kernel, activation then, conv2d_options options,
               caller where)
    : filters_(filters), kernel_(kernel), then_(then), options_(std::move(options)) {
  detail::check_filters("conv2d", filters, options_.groups, where);
  if (kernel.height < 1 || kernel.width < 1)
    throw error("conv2d: a kernel of " + std::to_string(kernel.height) + " x " +
                    std::to_string(kernel.width),
                where);
}

void conv2d::initialise(const tensor& x, caller where) const {
  const auto channels = x.shape()[1];
  if (!weight.defined()) detail::check_groups("conv2d", x, options_.groups, where);
  const shape sizes{filters_, channels / options_.groups, kernel_.height, kernel_.width};
  detail::first_use(weight, options_.weight, sizes, x, where);
  detail::check_sizes("conv2d", "weight", weight, sizes, where, 1);
  if (options_.bias) {
    detail::first_use(bias, options_.first_bias, {filters_}, x, where);
    detail::check_sizes("conv2d", "bias", bias, {filters_}, where);
  }
}

tensor conv2d::operator()(const tensor& x, caller where) const {
  detail::check_layer_input("conv2d", x, 4, where);
  initialise(x, where);
  const auto here = x.device();
  const troupe::conv2d_options how{options_.stride, options_.padding, options_.dilation,
                                   options_.groups};
  const auto y = options_.bias
                     ? troupe::conv2d(x, weight.on(here, where), bias.on(here, where), how, where)
                     : troupe::conv2d(x, weight.on(here, where), how, where);
  return then_ ? then_(y, where) : y;
}

}  // namespace troupe::nn
