// SPDX-License-Identifier: MIT
#include "troupe/nn/group_norm.hpp"

#include <algorithm>

#include "troupe/nn/kernel_checks.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::nn {

group_norm::group_norm(std::int64_t groups, group_norm_options options, caller where)
    : groups_(groups),
      affine_(options.affine),
      of_group_({.epsilon = std::max(options.epsilon, 0.), .affine = false}) {
  if (groups < 1)
    throw error("group_norm: " + std::to_string(groups) + " groups: there must be one at least",
                where);
  if (!(options.epsilon >= 0))
    throw error("group_norm: a negative epsilon " + to_string(scalar(options.epsilon)), where);
}

tensor group_norm::operator()(const tensor& x, caller where) const {
  detail::check_layer_input("group_norm", x, 2, where);
  detail::check_groups("group_norm", x, groups_, where);
  const auto samples = x.shape()[0], channels = x.shape()[1];
  if (affine_) {
    detail::first_use(weight, init::constant(1), {channels}, x, where);
    detail::first_use(bias, init::constant(0), {channels}, x, where);
    detail::check_sizes("group_norm", "weight", weight, {channels}, where, 0);
    detail::check_channels("group_norm", x, weight.value().shape()[0], where);
    detail::check_sizes("group_norm", "bias", bias, {channels}, where);
  }
  const auto of_sample = samples == 0 ? 0 : x.size() / samples;
  const auto grouped = reshape(x, {samples, groups_, of_sample / groups_}, where);
  const auto z = reshape(of_group_(grouped, where), x.shape(), where);
  if (!affine_) return z;
  shape by_channel{channels};
  for (int i = 2; i < x.rank(); ++i) by_channel.push_back(1);
  return multiply_add(z, reshape(weight.on(x.device(), where), by_channel, where),
                      reshape(bias.on(x.device(), where), by_channel, where), where);
}

}  // namespace troupe::nn
