// SPDX-License-Identifier: MIT
#include "troupe/nn/conv2d.hpp"

#include "troupe/nn/initialiser.hpp"
#include "troupe/tensor/ops/convolution.hpp"

namespace troupe::nn {

conv2d::conv2d(std::int64_t filters, height_width kernel, activation then, conv2d_options options,
               caller where)
    : filters_(filters), kernel_(kernel), then_(then), options_(std::move(options)) {
  const auto refuse = [&](const std::string& why) { throw error("conv2d: " + why, where); };
  if (filters < 1) refuse(std::to_string(filters) + " filters: there must be one at least");
  if (kernel.height < 1 || kernel.width < 1)
    refuse("a kernel of " + std::to_string(kernel.height) + " x " + std::to_string(kernel.width));
  const auto groups = options_.groups;
  if (groups < 1 || filters % groups != 0)
    refuse(std::to_string(filters) + " filters in " + std::to_string(groups) + " groups");
}

void conv2d::initialise(const tensor& x, caller where) const {
  const auto channels = x.shape()[1];
  if (!weight.defined() && channels % options_.groups != 0)
    throw error("conv2d: x is " + to_string(x.type()) + ", whose channels are no multiple of " +
                    std::to_string(options_.groups) + " groups",
                where);
  detail::first_use(weight, options_.weight,
                    {filters_, channels / options_.groups, kernel_.height, kernel_.width}, x,
                    where);
  if (options_.bias) detail::first_use(bias, options_.first_bias, {filters_}, x, where);
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
