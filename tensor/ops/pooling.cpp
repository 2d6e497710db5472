// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/pooling.hpp"

#include <string>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"

namespace troupe {

namespace {

const pooling_attributes& given_to(const gradient_terms& t) noexcept {
  return t.attributes.as<pooling_attributes>();
}

/// Submits one of the pools' operations; `out` is the shape of what comes out.
tensor submit(const operation& op, tensor_pointers inputs, const shape& out,
              const pooling_attributes& given, caller where = caller::current()) {
  const auto at = common_home(op.name, inputs, where);
  task_ptr t(new task(op, at.device, where));
  t->attributes = given;
  for (const auto* x : inputs) add_input(*t, contiguous(*x, where));
  return launch(at.runtime, std::move(t), out, inputs[0]->dtype());
}

tensor max_pool_gradient(const gradient_terms& t) {
  const tensor* const inputs[] = {&t.inputs[0], &t.arriving};
  return submit(max_pool2d_gradient_operation, inputs, t.types[0].dims, given_to(t));
}

// Both take x, and what they move linearly, to where the greatest elements of x are or from there.

tensor gradient_of_spread(const gradient_terms& t) {
  const tensor* const inputs[] = {&t.inputs[0], &t.arriving};
  return submit(max_pool2d_pick_operation, inputs, t.types[1].dims, given_to(t));
}

tensor gradient_of_pick(const gradient_terms& t) {
  const tensor* const inputs[] = {&t.inputs[0], &t.arriving};
  return submit(max_pool2d_gradient_operation, inputs, t.types[1].dims, given_to(t));
}

tensor average_pool_gradient(const gradient_terms& t) {
  const tensor* const inputs[] = {&t.arriving};
  return submit(avg_pool2d_gradient_operation, inputs, t.types[0].dims, given_to(t));
}

tensor gradient_of_average_gradient(const gradient_terms& t) {
  const tensor* const inputs[] = {&t.arriving};
  return submit(avg_pool2d_operation, inputs, t.types[0].dims, given_to(t));
}

constexpr std::int64_t most = std::int64_t{1} << 31;  // of a window and of a stride

pooling_attributes attributes_of(const pool2d_options& options) noexcept {
  const auto stride = options.stride == height_width::absent() ? options.size : options.stride;
  return {{options.size.height, options.size.width},
          {stride.height, stride.width},
          {options.padding.height, options.padding.width}};
}

void check_pool(std::string_view what, const tensor_type& x, const pooling_attributes& given,
                caller where) {
  const tensor_type types[] = {x};
  if (x.dims.rank() != 4) refuse(what, "not four axes", types, where);
  if (!is_floating(x.element)) refuse(what, "not of floating numbers", types, where);
  for (int axis = 0; axis < 2; ++axis) {
    const auto size = given.size[axis], padding = given.padding[axis];
    if (x.dims[2 + axis] == 0) refuse(what, "images without pixels", types, where);
    if (size < 1 || size > most)
      refuse(what, "windows of size " + std::to_string(size), types, where);
    if (given.stride[axis] < 1 || given.stride[axis] > most)
      refuse(what, "a stride of " + std::to_string(given.stride[axis]), types, where);
    if (padding < 0 || padding > size / 2)
      refuse(what,
             "a padding of " + std::to_string(padding) + " for windows of " + std::to_string(size),
             types, where);
    if (size > x.dims[2 + axis] + 2 * padding)
      refuse(what, "the windows are larger than the padded image", types, where);
  }
}

tensor pool(const operation& op, const tensor& x, const pool2d_options& options, caller where) {
  check_defined(op.name, x, where);
  const auto given = attributes_of(options);
  const tensor* const inputs[] = {&x};
  return submit(op, inputs, detail::pooled_shape(op.name, x.type(), given, where), given, where);
}

/// Throws unless `y` has the shape `wanted`, and the dtype of `x`.
void check_other(std::string_view what, const tensor& x, const tensor& y, const shape& wanted,
                 caller where) {
  const tensor_type types[] = {x.type(), y.type()};
  if (y.shape() != wanted) refuse(what, "the second is to be " + to_string(wanted), types, where);
  if (x.dtype() != y.dtype()) refuse(what, "different dtypes", types, where);
}

/// Submits what moves `y` to where the greatest elements of `x` are, if it comes `back`, or from
/// there.
tensor between_images(const operation& op, const tensor& x, const tensor& y,
                      const pool2d_options& options, bool back, caller where) {
  check_defined(op.name, x, where);
  check_defined(op.name, y, where);
  const auto given = attributes_of(options);
  const auto pooled = detail::pooled_shape(op.name, x.type(), given, where);
  check_other(op.name, x, y, back ? pooled : x.shape(), where);
  const tensor* const inputs[] = {&x, &y};
  return submit(op, inputs, back ? x.shape() : pooled, given, where);
}

template <tensor (*Pool)(const tensor&, const pool2d_options&, caller)>
std::vector<sample> samples() {
  constexpr auto pairs = [](std::span<const tensor> in) { return Pool(in[0], {2}, {}); };
  constexpr auto overlapping = [](std::span<const tensor> in) {
    return Pool(in[0], {.size = {3, 2}, .stride = {2, 1}, .padding = 1}, {});
  };
  constexpr auto apart = [](std::span<const tensor> in) {
    return Pool(in[0], {.size = {1, 2}, .stride = {2, 3}}, {});
  };
  std::vector<sample> out;
  for (const auto e : {float32, float64}) {
    out.push_back({{{{2, 2, 5, 4}, e, {}}}, pairs});
    out.push_back({{{{2, 1, 5, 4}, e, {}}}, overlapping});
    out.push_back({{{{1, 2, 5, 8}, e, {}}}, apart});
    out.push_back({{{{0, 2, 5, 4}, e, {}}}, pairs});
  }
  return out;
}

/// A pool's sizes, to test what is not called by users.
struct known_pool {
  pooling_attributes attributes;
  shape image, result;
};

known_pool in_pairs() { return {{{2, 2}, {2, 2}, {0, 0}}, {2, 2, 5, 4}, {2, 2, 2, 2}}; }
known_pool overlapping() { return {{{3, 2}, {2, 1}, {1, 1}}, {2, 1, 5, 4}, {2, 1, 3, 5}}; }

/// Of an operation that goes from images to results, or back. Max pools' operations are told the
/// images, too.
template <const operation& Operation, bool Back>
std::vector<sample> gradient_samples() {
  std::vector<sample> out;
  const auto add = [&]<known_pool (*Known)()>() {
    constexpr auto call = [](std::span<const tensor> in) {
      std::vector<const tensor*> inputs;
      for (const auto& x : in) inputs.push_back(&x);
      const auto known = Known();
      return submit(Operation, inputs, Back ? known.image : known.result, known.attributes);
    };
    const auto known = Known();
    for (const auto e : {float32, float64}) {
      sample s{{{Back ? known.result : known.image, e, {}}}, call};
      if (&Operation != &avg_pool2d_gradient_operation)
        s.inputs.insert(s.inputs.begin(), {known.image, e, {}});
      out.push_back(std::move(s));
    }
  };
  add.template operator()<in_pairs>();
  add.template operator()<overlapping>();
  return out;
}

}  // namespace

shape detail::pooled_shape(std::string_view what, const tensor_type& images,
                           const pooling_attributes& given, caller where) {
  check_pool(what, images, given, where);
  shape out = images.dims;
  for (int axis = 0; axis < 2; ++axis)
    out[2 + axis] =
        (out[2 + axis] + 2 * given.padding[axis] - given.size[axis]) / given.stride[axis] + 1;
  return out;
}

tensor max_pool2d_gradient(const tensor& x, const tensor& arriving, const pool2d_options& options,
                           caller where) {
  return between_images(max_pool2d_gradient_operation, x, arriving, options, true, where);
}

tensor max_pool2d_pick(const tensor& x, const tensor& y, const pool2d_options& options,
                       caller where) {
  return between_images(max_pool2d_pick_operation, x, y, options, false, where);
}

tensor avg_pool2d_gradient(const tensor& arriving, const height_width& image,
                           const pool2d_options& options, caller where) {
  const auto& op = avg_pool2d_gradient_operation;
  check_defined(op.name, arriving, where);
  auto images = arriving.type();
  if (images.dims.rank() != 4 || image.height < 0 || image.width < 0)
    refuse(op.name, "not four axes, or an image of negative size", {{images}}, where);
  images.dims[2] = image.height;
  images.dims[3] = image.width;
  const auto given = attributes_of(options);
  const auto pooled = detail::pooled_shape(op.name, images, given, where);
  if (arriving.shape() != pooled)
    refuse(op.name, "images of this size give " + to_string(pooled), {{arriving.type()}}, where);
  const tensor* const inputs[] = {&arriving};
  return submit(op, inputs, images.dims, given, where);
}

constinit const operation max_pool2d_operation = {.name = "max_pool2d",
                                                  .doc = "The greatest of each window of images.",
                                                  .kernel = of_input<&kernel_table::max_pool2d>,
                                                  .gradient = differentiability::available,
                                                  .gradients = {{max_pool_gradient, 1 << 0}},
                                                  .samples = samples<max_pool2d>,
                                                  .parameters = &sends<pooling_attributes>};

constinit const operation max_pool2d_gradient_operation = {
    .name = "max_pool2d_gradient",
    .doc = "Zeros, but what comes back to the greatest of each window of images.",
    .kernel = of_input<&kernel_table::max_pool2d_gradient>,
    .gradient = differentiability::available,
    .gradients = {{}, {gradient_of_spread, 1 << 0}},
    .linear = linearity::together,
    .samples = gradient_samples<max_pool2d_gradient_operation, true>,
    .parameters = &sends<pooling_attributes>};

constinit const operation max_pool2d_pick_operation = {
    .name = "max_pool2d_pick",
    .doc = "What lies, in other images, where the greatest of each window is.",
    .kernel = of_input<&kernel_table::max_pool2d_pick>,
    .gradient = differentiability::available,
    .gradients = {{}, {gradient_of_pick, 1 << 0}},
    .linear = linearity::together,
    .samples = gradient_samples<max_pool2d_pick_operation, false>,
    .parameters = &sends<pooling_attributes>};

constinit const operation avg_pool2d_operation = {.name = "avg_pool2d",
                                                  .doc = "The mean of each window of images.",
                                                  .kernel = of_input<&kernel_table::avg_pool2d>,
                                                  .gradient = differentiability::available,
                                                  .gradients = {{average_pool_gradient}},
                                                  .linear = linearity::together,
                                                  .samples = samples<avg_pool2d>,
                                                  .parameters = &sends<pooling_attributes>};

constinit const operation avg_pool2d_gradient_operation = {
    .name = "avg_pool2d_gradient",
    .doc = "What comes back to images from the means of their windows.",
    .kernel = of_input<&kernel_table::avg_pool2d_gradient>,
    .gradient = differentiability::available,
    .gradients = {{gradient_of_average_gradient}},
    .linear = linearity::together,
    .samples = gradient_samples<avg_pool2d_gradient_operation, true>,
    .parameters = &sends<pooling_attributes>};

tensor max_pool2d(const tensor& x, const pool2d_options& options, caller where) {
  return pool(max_pool2d_operation, x, options, where);
}

tensor avg_pool2d(const tensor& x, const pool2d_options& options, caller where) {
  return pool(avg_pool2d_operation, x, options, where);
}

}  // namespace troupe
