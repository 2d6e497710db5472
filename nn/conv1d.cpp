// SPDX-License-Identifier: MIT
#include "troupe/nn/conv1d.hpp"

#include "troupe/nn/kernel_checks.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/sequences.hpp"

namespace troupe::nn {

conv1d::conv1d(std::int64_t filters, std::int64_t kernel, activation then, conv1d_options options,
               caller where)
    : filters_(filters), kernel_(kernel), then_(then), options_(std::move(options)) {
  detail::check_filters("conv1d", filters, options_.groups, where);
  detail::check_way("conv1d", {kernel, options_.stride, options_.padding, options_.dilation},
                    where);
}

void conv1d::initialise(const tensor& x, caller where) const {
  detail::check_groups("conv1d", x, options_.groups, where);
  const shape sizes{filters_, x.shape()[1] / options_.groups, kernel_};
  detail::first_use(weight, options_.weight, sizes, x, where);
  detail::check_sizes("conv1d", "weight", weight, sizes, where, 1);
  if (options_.bias) {
    detail::first_use(bias, options_.first_bias, {filters_}, x, where);
    detail::check_sizes("conv1d", "bias", bias, {filters_}, where);
  }
  detail::check_channels("conv1d", x, weight.value().shape()[1] * options_.groups, where);
  if (x.shape()[2] + 2 * options_.padding < options_.dilation * (kernel_ - 1) + 1)
    throw error(
        "conv1d: the kernel is longer than x, " + to_string(x.type()) + ", with its padding",
        where);
}

tensor conv1d::operator()(const tensor& x, caller where) const {
  detail::check_axes("conv1d", x, 3, "[n, channels, length]", where);
  initialise(x, where);
  const use_engine same(x.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  const troupe::conv1d_options how{options_.stride, options_.padding, options_.dilation,
                                   options_.groups};
  const auto kernels = weight.on(x.device(), where);
  const auto y = options_.bias ? troupe::conv1d(x, kernels, bias.on(x.device(), where), how)
                               : troupe::conv1d(x, kernels, how);
  return then_ ? then_(y, where) : y;
}

}  // namespace troupe::nn
