// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/convolution_shapes.hpp"

#include <string>

#include "troupe/tensor/ops/apply.hpp"

namespace troupe {

namespace {

constexpr std::int64_t most_places = std::int64_t{1} << 31;

void check_range(std::string_view what, const char* name, std::span<const std::int64_t> x,
                 std::int64_t least, std::span<const tensor_type> inputs, caller where) {
  for (const auto number : x) {
    if (number >= least && number <= most_places) continue;
    refuse(what, "a " + std::string(name) + " of " + std::to_string(number), inputs, where);
  }
}

}  // namespace

convolution_attributes checked_options(std::string_view what, const conv2d_options& options,
                                       std::span<const tensor_type> inputs, caller where) {
  const convolution_attributes given{{options.stride.height, options.stride.width},
                                     {options.padding.height, options.padding.width},
                                     {options.dilation.height, options.dilation.width},
                                     options.groups};
  check_attributes(what, given, inputs, where);
  return given;
}

void check_attributes(std::string_view what, const convolution_attributes& given,
                      std::span<const tensor_type> inputs, caller where) {
  check_range(what, "stride", given.stride, 1, inputs, where);
  check_range(what, "padding", given.padding, 0, inputs, where);
  check_range(what, "dilation", given.dilation, 1, inputs, where);
  if (given.groups < 1) refuse(what, std::to_string(given.groups) + " groups", inputs, where);
}

void check_images(std::string_view what, std::span<const tensor_type> inputs, caller where) {
  for (const auto& in : inputs.first(2)) {
    if (in.dims.rank() != 4) refuse(what, "not four axes", inputs, where);
    if (!is_floating(in.element)) refuse(what, "not of floating numbers", inputs, where);
  }
}

shape convolution_shape(std::string_view what, const shape& images, const shape& weights,
                        const convolution_attributes& given, std::span<const tensor_type> inputs,
                        caller where) {
  const auto groups = std::to_string(given.groups);
  if (images[1] % given.groups != 0)
    refuse(what, std::to_string(images[1]) + " channels in " + groups + " groups", inputs, where);
  if (weights[0] % given.groups != 0)
    refuse(what, std::to_string(weights[0]) + " kernels in " + groups + " groups", inputs, where);
  const std::int64_t channels = images[1] / given.groups;
  if (channels != weights[1])
    refuse(what,
           std::to_string(channels) + " channels, but kernels for " + std::to_string(weights[1]),
           inputs, where);
  shape out{images[0], weights[0], 0, 0};
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t kernel = weights[2 + axis];
    const std::int64_t padded = images[2 + axis] + 2 * given.padding[axis];
    if (kernel == 0) refuse(what, "an empty kernel", inputs, where);
    if (padded == 0 || kernel - 1 > (padded - 1) / given.dilation[axis])
      refuse(what, "the kernel is larger than the padded image", inputs, where);
    out[2 + axis] = (padded - (kernel - 1) * given.dilation[axis] - 1) / given.stride[axis] + 1;
  }
  return out;
}

}  // namespace troupe
