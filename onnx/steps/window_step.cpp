// SPDX-License-Identifier: MIT
#include <span>

#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/view_nodes.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/pooling.hpp"

namespace troupe {

namespace {

using two_sizes = const std::int64_t (&)[2];

std::vector<std::int64_t> of_two(two_sizes x) { return {x[0], x[1]}; }

onnx_attribute on_both_sides(two_sizes padding) {
  return {"pads", std::vector{padding[0], padding[1], padding[0], padding[1]}};
}

/// Adds a transposed convolution whose result has images of the step's size.
onnx_value spread_windows(const written_step& s, const graph_writer::values& in,
                          const shape& images, const convolution_attributes& given) {
  std::vector<std::int64_t> rest;
  for (int i = 0; i < 2; ++i) {
    const auto reach = given.dilation[i] * (in[1].dims[2 + i] - 1) + 1;
    rest.push_back(images[2 + i] - given.stride[i] * (in[0].dims[2 + i] - 1) - reach +
                   2 * given.padding[i]);
  }
  return s.to().add("ConvTranspose", in, in[0].element, images,
                    {{"strides", of_two(given.stride)},
                     on_both_sides(given.padding),
                     {"dilations", of_two(given.dilation)},
                     {"group", given.groups},
                     {"output_padding", rest}});
}

graph_writer::values converted_inputs(const written_step& s) {
  graph_writer::values out;
  for (std::size_t i = 0; i < s.inputs(); ++i)
    out.push_back(s.to().cast(s.in(i), computed(s.result().element)));
  return out;
}

void write_convolution(const written_step& s) {
  const auto& given = s.given<convolution_attributes>();
  const auto in = converted_inputs(s);
  s.out(s.to().add("Conv", in, in[0].element, s.result().dims,
                   {{"strides", of_two(given.stride)},
                    on_both_sides(given.padding),
                    {"dilations", of_two(given.dilation)},
                    {"group", given.groups}}));
}

void write_input_gradient(const written_step& s) {
  s.out(spread_windows(s, converted_inputs(s), s.result().dims, s.given<convolution_attributes>()));
}

/// Writes a convolution of the images with what arrives, in which batch and channels change places
/// and strides and dilations, too. Channels of a group stay together.
void write_weight_gradient(const written_step& s) {
  auto& to = s.to();
  const auto& given = s.given<convolution_attributes>();
  const auto in = converted_inputs(s);
  const auto &x = in[0].dims, &weight = s.result().dims;
  const auto groups = given.groups, n = x[0], channels = weight[1];
  const auto grouped =
      to.transpose(to.reshape(in[0], {n, groups, channels, x[2], x[3]}), {2, 1, 0, 3, 4});
  const auto images = to.reshape(grouped, {channels, groups * n, x[2], x[3]});
  const auto kernels = to.transpose(in[1], {1, 0, 2, 3});
  shape all{channels, weight[0], 0, 0};
  for (int i = 0; i < 2; ++i) {
    const auto reach = given.stride[i] * (kernels.dims[2 + i] - 1) + 1;
    all[2 + i] = (x[2 + i] + 2 * given.padding[i] - reach) / given.dilation[i] + 1;
  }
  const auto swept = to.add("Conv", {images, kernels}, in[0].element, all,
                            {{"strides", of_two(given.dilation)},
                             on_both_sides(given.padding),
                             {"dilations", of_two(given.stride)},
                             {"group", groups}});
  // The images may go on behind the last place of a kernel.
  layout view(all);
  view.dims[2] = weight[2];
  view.dims[3] = weight[3];
  s.out(to.transpose(add_view(to, swept, view), {1, 0, 2, 3}));
}

graph_writer::node_attributes windows_of_pool(const pooling_attributes& given) {
  return {{"kernel_shape", of_two(given.size)},
          {"strides", of_two(given.stride)},
          on_both_sides(given.padding)};
}

void write_max_pool(const written_step& s) {
  const auto x = s.to().cast(s.in(), computed(s.element(0)));
  s.out(s.to().add("MaxPool", {x}, x.element, s.result().dims,
                   windows_of_pool(s.given<pooling_attributes>())));
}

void write_average_pool(const written_step& s) {
  const auto x = s.to().cast(s.in(), computed(s.element(0)));
  auto given = windows_of_pool(s.given<pooling_attributes>());
  given.push_back({"count_include_pad", std::int64_t{1}});
  s.out(s.to().add("AveragePool", {x}, x.element, s.result().dims, given));
}

/// Writes a transposed convolution of each channel with equal shares.
void write_average_pool_gradient(const written_step& s) {
  auto& to = s.to();
  const auto& given = s.given<pooling_attributes>();
  const auto x = to.cast(s.in(), computed(s.element(0)));
  const auto& dims = s.result().dims;
  const auto images = dims[0] * dims[1];
  const auto share = 1 / static_cast<double>(given.size[0] * given.size[1]);
  const auto shares = to.full({1, 1, given.size[0], given.size[1]}, element_of(x.element, share));
  const convolution_attributes as{
      {given.stride[0], given.stride[1]}, {given.padding[0], given.padding[1]}, {1, 1}, 1};
  const auto single = to.reshape(x, {images, 1, x.dims[2], x.dims[3]});
  const auto out = spread_windows(s, {single, shares}, {images, 1, dims[2], dims[3]}, as);
  s.out(to.reshape(out, dims));
}

/// Returns the places of the greatest elements, counted through all images.
onnx_value places_of_greatest(const written_step& s, const shape& pooled) {
  auto& to = s.to();
  const auto x = to.cast(s.in(0), computed(s.element(0)));
  return to.add("MaxPool", {x}, {{"", x.element, pooled}, {"", int64, pooled}},
                windows_of_pool(s.given<pooling_attributes>()))[1];
}

void write_max_pool_gradient(const written_step& s) {
  auto& to = s.to();
  if (to.opset() < 16) s.refuse("needs operators of version 16");
  const auto arriving = to.cast(s.in(1), computed(s.element(1)));
  const auto places = places_of_greatest(s, arriving.dims);
  const shape flat{s.result().dims.size()}, count{arriving.dims.size()};
  const auto out = to.add("ScatterElements",
                          {to.full(flat, {arriving.element, 0}), to.reshape(places, count),
                           to.reshape(arriving, count)},
                          arriving.element, flat,
                          {{"axis", std::int64_t{0}}, {"reduction", std::string("add")}});
  s.out(to.reshape(out, s.result().dims));
}

void write_max_pool_pick(const written_step& s) {
  auto& to = s.to();
  const auto from = s.in(1);
  s.out(to.add("Gather",
               {to.reshape(from, {from.dims.size()}), places_of_greatest(s, s.result().dims)},
               from.element, s.result().dims, {{"axis", std::int64_t{0}}}));
}

}  // namespace

std::vector<step_rule> window_step_rules() {
  return {{&conv2d_operation, write_convolution},
          {&conv2d_input_gradient_operation, write_input_gradient},
          {&conv2d_weight_gradient_operation, write_weight_gradient},
          {&max_pool2d_operation, write_max_pool},
          {&max_pool2d_gradient_operation, write_max_pool_gradient},
          {&max_pool2d_pick_operation, write_max_pool_pick},
          {&avg_pool2d_operation, write_average_pool},
          {&avg_pool2d_gradient_operation, write_average_pool_gradient}};
}

}  // namespace troupe
