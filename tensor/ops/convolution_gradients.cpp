// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/convolution_gradients.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/convolution_shapes.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

const convolution_attributes& given_to(const gradient_terms& t) noexcept {
  return t.attributes.as<convolution_attributes>();
}

// The input gradient is conv2d's with respect to x: inputs are the arriving gradient and the
// weights.

tensor input_gradient_of_arriving(const gradient_terms& t) {
  const tensor* const inputs[] = {&t.arriving, &t.inputs[1]};
  return submit_convolution(conv2d_operation, inputs, t.types[0].dims, given_to(t),
                            caller::current());
}

tensor input_gradient_of_weight(const gradient_terms& t) {
  return submit_weight_gradient(t.arriving, t.inputs[0], t.types[1].dims, given_to(t));
}

// The weight gradient's inputs are x and the arriving gradient.

tensor weight_gradient_of_images(const gradient_terms& t) {
  return submit_input_gradient(t.inputs[1], t.arriving, t.types[0].dims, given_to(t));
}

tensor weight_gradient_of_arriving(const gradient_terms& t) {
  const tensor* const inputs[] = {&t.inputs[0], &t.arriving};
  return submit_convolution(conv2d_operation, inputs, t.types[1].dims, given_to(t),
                            caller::current());
}

std::vector<sample> input_gradient_samples() {
  constexpr auto plain = [](std::span<const tensor> in) {
    return conv2d_input_gradient(in[0], in[1], {4, 5});
  };
  constexpr auto spread = [](std::span<const tensor> in) {
    return conv2d_input_gradient(
        in[0], in[1], {6, 7},
        {.stride = {2, 3}, .padding = {1, 2}, .dilation = {1, 2}, .groups = 2});
  };
  std::vector<sample> out;
  for (const auto e : {float32, float64}) {
    out.push_back({{{{2, 3, 2, 4}, e, {}}, {{3, 2, 3, 2}, e, {}}}, plain});
    out.push_back({{{{2, 4, 3, 3}, e, {}}, {{4, 2, 3, 3}, e, {}}}, spread});
    out.push_back({{{{0, 3, 2, 4}, e, {}}, {{3, 2, 3, 2}, e, {}}}, plain});
  }
  return out;
}

std::vector<sample> weight_gradient_samples() {
  constexpr auto plain = [](std::span<const tensor> in) {
    return conv2d_weight_gradient(in[0], in[1], {3, 2});
  };
  constexpr auto spread = [](std::span<const tensor> in) {
    return conv2d_weight_gradient(
        in[0], in[1], 3, {.stride = {2, 3}, .padding = {1, 2}, .dilation = {1, 2}, .groups = 2});
  };
  std::vector<sample> out;
  for (const auto e : {float32, float64}) {
    out.push_back({{{{2, 2, 4, 5}, e, {}}, {{2, 3, 2, 4}, e, {}}}, plain});
    out.push_back({{{{2, 4, 6, 7}, e, {}}, {{2, 4, 3, 3}, e, {}}}, spread});
    out.push_back({{{{0, 2, 4, 5}, e, {}}, {{0, 3, 2, 4}, e, {}}}, plain});
  }
  return out;
}

/// Throws unless the convolution of such images with such weights has the arriving gradient's
/// shape.
void check_arriving(std::string_view what, const tensor& arriving, const shape& images,
                    const shape& weights, const convolution_attributes& given,
                    std::span<const tensor_type> inputs, caller where) {
  const auto result = convolution_shape(what, images, weights, given, inputs, where);
  if (result != arriving.shape())
    refuse(what, "the convolution's result is " + to_string(result), inputs, where);
}

}  // namespace

constinit const operation conv2d_input_gradient_operation = {
    .name = "conv2d_input_gradient",
    .doc = "What comes back to the images of a convolution: the transposed convolution.",
    .kernel = of_input<&kernel_table::conv2d_input_gradient>,
    .cost =
        [](const task& t) {
          return convolution_cost(t, t.inputs[1].view().dims, t.inputs[0].view().dims);
        },
    .gradient = differentiability::available,
    .gradients = {{input_gradient_of_arriving, 1 << 1}, {input_gradient_of_weight, 1 << 0}},
    .linear = linearity::each,
    .samples = input_gradient_samples,
    .parameters = &sends<convolution_attributes>};

constinit const operation conv2d_weight_gradient_operation = {
    .name = "conv2d_weight_gradient",
    .doc = "What comes back to the kernels of a convolution.",
    .kernel = of_input<&kernel_table::conv2d_weight_gradient>,
    .cost =
        [](const task& t) {
          return convolution_cost(t, t.outputs[0]->dims(), t.inputs[1].view().dims);
        },
    .gradient = differentiability::available,
    .gradients = {{weight_gradient_of_images, 1 << 1}, {weight_gradient_of_arriving, 1 << 0}},
    .linear = linearity::each,
    .samples = weight_gradient_samples,
    .parameters = &sends<convolution_attributes>};

tensor submit_convolution(const operation& op, tensor_pointers inputs, const shape& out,
                          const convolution_attributes& given, caller where) {
  const auto at = common_home(op.name, inputs, where);
  dtype element = inputs[0]->dtype();
  for (const auto* x : inputs) element = promote(element, x->dtype());
  task_ptr t(new task(op, at.device, where));
  t->attributes = given;
  for (const auto* x : inputs) add_input(*t, astype(*x, element, where));
  return launch(at.runtime, std::move(t), out, element);
}

tensor submit_input_gradient(const tensor& arriving, const tensor& weight, const shape& images,
                             const convolution_attributes& given, caller where) {
  const tensor* const inputs[] = {&arriving, &weight};
  return submit_convolution(conv2d_input_gradient_operation, inputs, images, given, where);
}

tensor submit_weight_gradient(const tensor& x, const tensor& arriving, const shape& weights,
                              const convolution_attributes& given, caller where) {
  const tensor* const inputs[] = {&x, &arriving};
  return submit_convolution(conv2d_weight_gradient_operation, inputs, weights, given, where);
}

work convolution_cost(const task& t, const shape& weights, const shape& result) {
  work w;
  for (const auto& in : t.inputs)
    w.bytes +=
        static_cast<double>(in.view().dims.size()) * static_cast<double>(size_of(in.element));
  w.bytes += static_cast<double>(t.outputs[0]->type().bytes());
  w.flops = 2. * static_cast<double>(result.size()) *
            static_cast<double>(weights[1] * weights[2] * weights[3]);
  return w;
}

tensor conv2d_input_gradient(const tensor& arriving, const tensor& weight, const height_width& size,
                             const conv2d_options& options, caller where) {
  constexpr auto what = "conv2d_input_gradient";
  const tensor* const inputs[] = {&arriving, &weight};
  common_home(what, inputs, where);
  const tensor_type types[] = {arriving.type(), weight.type()};
  check_images(what, types, where);
  const auto given = checked_options(what, options, types, where);
  const shape images(
      {arriving.shape()[0], weight.shape()[1] * given.groups, size.height, size.width}, where);
  check_arriving(what, arriving, images, weight.shape(), given, types, where);
  return submit_input_gradient(arriving, weight, images, given, where);
}

tensor conv2d_weight_gradient(const tensor& x, const tensor& arriving, const height_width& size,
                              const conv2d_options& options, caller where) {
  constexpr auto what = "conv2d_weight_gradient";
  const tensor* const inputs[] = {&x, &arriving};
  common_home(what, inputs, where);
  const tensor_type types[] = {x.type(), arriving.type()};
  check_images(what, types, where);
  const auto given = checked_options(what, options, types, where);
  const shape weights({arriving.shape()[1], x.shape()[1] / given.groups, size.height, size.width},
                      where);
  check_arriving(what, arriving, x.shape(), weights, given, types, where);
  return submit_weight_gradient(x, arriving, weights, given, where);
}

}  // namespace troupe
