// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/convolution.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/convolution_gradients.hpp"
#include "troupe/tensor/ops/convolution_shapes.hpp"
#include "troupe/tensor/ops/reduction.hpp"

namespace troupe {

namespace {

tensor input_gradient(const gradient_terms& t) {
  return submit_input_gradient(t.arriving, t.inputs[1], t.types[0].dims,
                               t.attributes.as<convolution_attributes>());
}

tensor weight_gradient(const gradient_terms& t) {
  return submit_weight_gradient(t.inputs[0], t.arriving, t.types[1].dims,
                                t.attributes.as<convolution_attributes>());
}

tensor bias_gradient(const gradient_terms& t) { return sum(t.arriving, {0, 2, 3}); }

std::vector<sample> samples() {
  constexpr auto plain = [](std::span<const tensor> in) { return conv2d(in[0], in[1]); };
  constexpr auto with_bias = [](std::span<const tensor> in) {
    return conv2d(in[0], in[1], in[2], {.stride = {2, 1}, .padding = {1, 2}});
  };
  constexpr auto spread = [](std::span<const tensor> in) {
    return conv2d(in[0], in[1], {.stride = {1, 3}, .padding = 2, .dilation = {2, 1}, .groups = 2});
  };
  constexpr auto by_channel = [](std::span<const tensor> in) {
    return conv2d(in[0], in[1], {.stride = 2, .padding = 1, .groups = 3});
  };
  std::vector<sample> out;
  for (const auto e : {float32, float64}) {
    out.push_back({{{{2, 2, 5, 4}, e, {}}, {{3, 2, 3, 2}, e, {}}}, plain});
    out.push_back({{{{1, 2, 5, 4}, e, {}}, {{2, 2, 3, 3}, e, {}}, {{2}, e, {}}}, with_bias});
    out.push_back({{{{2, 4, 5, 7}, e, {}}, {{2, 2, 2, 3}, e, {}}}, spread});
    out.push_back({{{{1, 3, 5, 4}, e, {}}, {{3, 1, 3, 1}, e, {}}}, by_channel});
    out.push_back({{{{0, 2, 5, 4}, e, {}}, {{3, 2, 3, 2}, e, {}}}, plain});
  }
  return out;
}

tensor convolve(tensor_pointers inputs, const conv2d_options& options, caller where) {
  common_home("conv2d", inputs, where);
  small_vector<tensor_type, 3> types;
  for (const auto* x : inputs) types.emplace_back(x->type());
  const std::span<const tensor_type> all(types.begin(), types.end());
  check_images("conv2d", all, where);
  const auto given = checked_options("conv2d", options, all, where);
  const auto out =
      convolution_shape("conv2d", inputs[0]->shape(), inputs[1]->shape(), given, all, where);
  if (inputs.size() > 2) {
    if (!is_floating(inputs[2]->dtype())) refuse("conv2d", "not of floating numbers", all, where);
    if (inputs[2]->shape() != shape{out[1]})
      refuse("conv2d", "not a bias for each output channel", all, where);
  }
  return submit_convolution(conv2d_operation, inputs, out, given, where);
}

}  // namespace

constinit const operation conv2d_operation = {
    .name = "conv2d",
    .doc =
        "The convolution of images with kernels, with a bias for each output channel if one is "
        "given.",
    .kernel = of_input<&kernel_table::conv2d>,
    .cost =
        [](const task& t) {
          return convolution_cost(t, t.inputs[1].view().dims, t.outputs[0]->dims());
        },
    .gradient = differentiability::available,
    .gradients = {{input_gradient, 1 << 1}, {weight_gradient, 1 << 0}, {bias_gradient}},
    .linear = linearity::each,
    .samples = samples,
    .parameters = &sends<convolution_attributes>};

tensor conv2d(const tensor& x, const tensor& weight, const conv2d_options& options, caller where) {
  const tensor* const inputs[] = {&x, &weight};
  return convolve(inputs, options, where);
}

tensor detail::conv2d_with_bias(const tensor& x, const tensor& weight, const tensor& bias,
                                const conv2d_options& options, caller where) {
  const tensor* const inputs[] = {&x, &weight, &bias};
  return convolve(inputs, options, where);
}

}  // namespace troupe
