// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/window_checks.hpp"

#include <string>

#include "troupe/tensor/ops/apply.hpp"

namespace troupe {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 31;

void check_type(std::string_view what, const tensor& x, std::size_t axes,
                std::span<const tensor_type> inputs, caller where) {
  if (x.rank() != static_cast<int>(axes) + 2)
    refuse(what, "not " + std::to_string(axes + 2) + " axes", inputs, where);
  if (!is_floating(x.dtype())) refuse(what, "not of floating numbers", inputs, where);
}

void check_range(std::string_view what, const char* name, std::int64_t number, std::int64_t least,
                 std::int64_t greatest, std::span<const tensor_type> inputs, caller where) {
  if (number >= least && number <= greatest) return;
  refuse(what, "a " + std::string(name) + " of " + std::to_string(number), inputs, where);
}

/// Throws unless the ways are possible and end within the padded axes of `x`.
void check_ways(std::string_view what, const char* window, const tensor& x,
                std::span<const window_way> ways, std::span<const tensor_type> inputs,
                caller where) {
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto& way = ways[i];
    check_range(what, "size", way.size, 1, most, inputs, where);
    check_range(what, "stride", way.stride, 1, most, inputs, where);
    check_range(what, "padding", way.padding, 0, most, inputs, where);
    check_range(what, "dilation", way.dilation, 1, most, inputs, where);
    const auto padded = x.shape()[static_cast<int>(i) + 2] + 2 * way.padding;
    if (padded == 0 || way.size - 1 > (padded - 1) / way.dilation)
      refuse(what, std::string(window) + " is larger than the padded input", inputs, where);
  }
}

}  // namespace

void check_convolution(std::string_view what, const tensor& x, const tensor& weight,
                       std::span<const window_way> ways, std::int64_t groups, caller where) {
  check_defined(what, x, where);
  check_defined(what, weight, where);
  const tensor_type inputs[] = {x.type(), weight.type()};
  check_type(what, x, ways.size(), inputs, where);
  check_type(what, weight, ways.size(), inputs, where);
  const auto channels = x.shape()[1], kernels = weight.shape()[0];
  if (groups < 1) refuse(what, std::to_string(groups) + " groups", inputs, where);
  const auto in_groups = " in " + std::to_string(groups) + " groups";
  if (channels % groups != 0)
    refuse(what, std::to_string(channels) + " channels" + in_groups, inputs, where);
  if (kernels % groups != 0)
    refuse(what, std::to_string(kernels) + " kernels" + in_groups, inputs, where);
  if (channels / groups != weight.shape()[1])
    refuse(what,
           std::to_string(channels / groups) + " channels, but kernels for " +
               std::to_string(weight.shape()[1]),
           inputs, where);
  check_ways(what, "the kernel", x, ways, inputs, where);
}

void check_pool(std::string_view what, const tensor& x, std::span<const window_way> ways,
                caller where) {
  check_defined(what, x, where);
  const tensor_type inputs[] = {x.type()};
  check_type(what, x, ways.size(), inputs, where);
  check_ways(what, "the window", x, ways, inputs, where);
  for (const auto& way : ways) {
    if (way.padding > way.size / 2)
      refuse(what, "a padding of " + std::to_string(way.padding) + ", more than half of the window",
             inputs, where);
  }
}

}  // namespace troupe
