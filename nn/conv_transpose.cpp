// SPDX-License-Identifier: MIT
#include "troupe/nn/conv_transpose.hpp"

#include "troupe/nn/kernel_checks.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::nn {

namespace {

void check_way_back(std::string_view layer, const window_way& way, std::int64_t output_padding,
                    caller where) {
  detail::check_way(layer, way, where);
  if (output_padding < 0 || output_padding >= way.stride)
    throw error(std::string(layer) + ": the output padding is " + std::to_string(output_padding) +
                    " and must be 0 or more, and less than the stride of " +
                    std::to_string(way.stride),
                where);
}

std::int64_t size_of_result(std::string_view layer, const tensor& x, std::int64_t size,
                            const window_way& way, std::int64_t output_padding, caller where) {
  const auto out = (size - 1) * way.stride - 2 * way.padding + way.dilation * (way.size - 1) +
                   output_padding + 1;
  if (size < 1 || out < 1)
    throw error(
        std::string(layer) + ": nothing would be left of the result for x, " + to_string(x.type()),
        where);
  return out;
}

/// Gives the parameters their first arrays, and checks x against them. `kernel` is the kernel's
/// shape.
template <class Options>
void prepare(std::string_view layer, const parameter& weight, const parameter& bias,
             std::int64_t filters, std::initializer_list<std::int64_t> kernel,
             const Options& options, const tensor& x, caller where) {
  detail::check_groups(layer, x, options.groups, where);
  shape sizes{x.shape()[1], filters / options.groups};
  for (const auto size : kernel) sizes.push_back(size);
  detail::first_use(weight, options.weight, sizes, x, where);
  detail::check_sizes(layer, "weight", weight, sizes, where, 0);
  if (options.bias) {
    detail::first_use(bias, options.first_bias, {filters}, x, where);
    detail::check_sizes(layer, "bias", bias, {filters}, where);
  }
  detail::check_channels(layer, x, weight.value().shape()[0], where);
}

}  // namespace

conv_transpose2d::conv_transpose2d(std::int64_t filters, height_width kernel, activation then,
                                   conv_transpose2d_options options, caller where)
    : filters_(filters), kernel_(kernel), then_(then), options_(std::move(options)) {
  constexpr auto who = "conv_transpose2d";
  const auto& o = options_;
  detail::check_filters(who, filters, o.groups, where);
  check_way_back(who, {kernel.height, o.stride.height, o.padding.height, o.dilation.height},
                 o.output_padding.height, where);
  check_way_back(who, {kernel.width, o.stride.width, o.padding.width, o.dilation.width},
                 o.output_padding.width, where);
}

tensor conv_transpose2d::operator()(const tensor& x, caller where) const {
  constexpr auto who = "conv_transpose2d";
  const auto& o = options_;
  detail::check_axes(who, x, 4, "[n, channels, h, w]", where);
  prepare(who, weight, bias, filters_, {kernel_.height, kernel_.width}, o, x, where);
  const height_width size{
      size_of_result(who, x, x.shape()[2],
                     {kernel_.height, o.stride.height, o.padding.height, o.dilation.height},
                     o.output_padding.height, where),
      size_of_result(who, x, x.shape()[3],
                     {kernel_.width, o.stride.width, o.padding.width, o.dilation.width},
                     o.output_padding.width, where)};
  const use_engine same(x.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  auto y = conv2d_input_gradient(x, weight.on(x.device(), where), size,
                                 {o.stride, o.padding, o.dilation, o.groups});
  if (o.bias) y = add(y, reshape(bias.on(x.device(), where), {filters_, 1, 1}));
  return then_ ? then_(y, where) : y;
}

conv_transpose1d::conv_transpose1d(std::int64_t filters, std::int64_t kernel, activation then,
                                   conv_transpose1d_options options, caller where)
    : filters_(filters), kernel_(kernel), then_(then), options_(std::move(options)) {
  const auto& o = options_;
  detail::check_filters("conv_transpose1d", filters, o.groups, where);
  check_way_back("conv_transpose1d", {kernel, o.stride, o.padding, o.dilation}, o.output_padding,
                 where);
}

tensor conv_transpose1d::operator()(const tensor& x, caller where) const {
  constexpr auto who = "conv_transpose1d";
  const auto& o = options_;
  detail::check_axes(who, x, 3, "[n, channels, length]", where);
  prepare(who, weight, bias, filters_, {kernel_}, o, x, where);
  const auto length = size_of_result(
      who, x, x.shape()[2], {kernel_, o.stride, o.padding, o.dilation}, o.output_padding, where);
  const use_engine same(x.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  auto y = squeeze(conv2d_input_gradient(
                       expand_dims(x, 2), expand_dims(weight.on(x.device(), where), 2), {1, length},
                       {{1, o.stride}, {0, o.padding}, {1, o.dilation}, o.groups}),
                   2);
  if (o.bias) y = add(y, reshape(bias.on(x.device(), where), {filters_, 1}));
  return then_ ? then_(y, where) : y;
}

}  // namespace troupe::nn
