// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/scatter.hpp"

#include <algorithm>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/indexing.hpp"

namespace troupe {

namespace {

tensor unslice_gradient(const gradient_terms& t) {
  const auto& part = *t.attributes.as<part_attributes>().part;
  const auto arriving = contiguous(t.arriving);
  layout view;
  view.dims = t.types[0].dims;
  view.offset = arriving.view().offset + part.offset;
  std::copy_n(part.strides, view.dims.rank(), view.strides);
  return arriving.viewed(view);
}

tensor index_add_gradient(const gradient_terms& t) {
  return take(t.arriving, t.inputs[1], t.attributes.as<axis_attributes>().axis);
}

std::vector<sample> unslice_samples() {
  constexpr auto call = [](std::span<const tensor> in) {
    layout part(shape{7, 9});  // every third of every second row, backwards
    part.dims = in[0].shape();
    part.offset = 7;
    part.strides[0] = 18;
    part.strides[1] = -3;
    return unslice(in[0], part, {7, 9});
  };
  return {{{{{3, 2}, float32, {}}}, call},
          {{{{3, 2}, float64, {}}}, call},
          {{{{0, 2}, float32, {}}}, call}};
}

std::vector<sample> index_add_samples() {
  // The tests draw integers from -3 to 3.
  constexpr auto rows = [](std::span<const tensor> in) { return index_add(in[0], in[1], 0, 5); };
  constexpr auto columns = [](std::span<const tensor> in) {
    return index_add(in[0], in[1], -1, 4);
  };
  std::vector<sample> out;
  for (const auto element : {float32, float64}) {
    out.push_back({{{{2, 3, 4}, element, {}}, {{2, 3}, int64, {}}}, rows});
    out.push_back({{{{3, 6}, element, {}}, {{6}, int32, {}}}, columns});
    out.push_back({{{{0, 4}, element, {}}, {{0}, int64, {}}}, rows});
  }
  return out;
}

tensor add_along_axis_gradient(const gradient_terms& t) {
  return submit_take_along_axis(t.arriving, t.inputs[1], t.attributes.as<along_axis_attributes>(),
                                {});
}

std::vector<sample> add_along_axis_samples() {
  constexpr auto last = [](std::span<const tensor> in) {
    return add_along_axis(in[0], in[1], -1, 4);
  };
  constexpr auto first = [](std::span<const tensor> in) {
    return add_along_axis(in[0], in[1], 0, 5);
  };
  std::vector<sample> out;
  for (const auto element : {float32, float64}) {
    out.push_back({{{{3, 2}, element, {}}, {{3, 2}, int64, {}}}, last});
    out.push_back({{{{6, 2, 3}, element, {}}, {{6, 2, 3}, int32, {}}}, first});
    out.push_back({{{{0, 2}, element, {}}, {{0, 2}, int64, {}}}, last});
  }
  return out;
}

}  // namespace

constinit const operation unslice_operation = {
    .name = "unslice",
    .doc = "Zeros, but for a part where the elements of another array are.",
    .kernel = of_input<&kernel_table::unslice>,
    .flops_per_element = 0,
    .gradient = differentiability::available,
    .gradients = {{unslice_gradient}},
    .linear = linearity::together,
    .samples = unslice_samples,
    .parameters = &sends<part_attributes>};

constinit const operation index_add_operation = {
    .name = "index_add",
    .doc = "Zeros to which slices are added at given positions along an axis.",
    .kernel = of_input<&kernel_table::index_add>,
    .indices = 1 << 1,
    .gradient = differentiability::available,
    .gradients = {{index_add_gradient, 1 << 1}},
    .linear = linearity::together,
    .samples = index_add_samples,
    .parameters = &sends<axis_attributes>};

constinit const operation add_along_axis_operation = {
    .name = "add_along_axis",
    .doc = "Zeros to which elements are added at positions along an axis.",
    .kernel = of_input<&kernel_table::add_along_axis>,
    .indices = 1 << 1,
    .gradient = differentiability::available,
    .gradients = {{add_along_axis_gradient, 1 << 1}},
    .linear = linearity::together,
    .samples = add_along_axis_samples,
    .parameters = &sends<along_axis_attributes>};

tensor unslice(const tensor& x, const layout& part, const shape& sizes, caller where) {
  const tensor* const inputs[] = {&x};
  const auto at = common_home("unslice", inputs, where);
  auto where_to = std::make_shared<strided_part>();
  where_to->offset = part.offset;
  std::copy_n(part.strides, part.dims.rank(), where_to->strides);
  task_ptr t(new task(unslice_operation, at.device, where));
  t->attributes = part_attributes{std::move(where_to)};
  add_input(*t, x);
  return launch(at.runtime, std::move(t), sizes, x.dtype());
}

tensor index_add(const tensor& x, const tensor& indices, int axis, std::int64_t length,
                 caller where) {
  const tensor* const inputs[] = {&x, &indices};
  const auto at = common_home("index_add", inputs, where);
  const tensor_type types[] = {x.type(), indices.type()};
  if (!is_integer(indices.dtype()))
    refuse("index_add", "the indices are no integers", types, where);
  if (is_complex(x.dtype()))
    return detail::by_parts(
        x, [&](const tensor& part) { return index_add(part, indices, axis, length, where); },
        where);
  const int rank = x.rank() - indices.rank() + 1;
  if (rank < 1) refuse("index_add", "more axes of indices than of slices", types, where);
  if (rank > max_rank) refuse("index_add", "too many axes come out", types, where);
  const int from = detail::checked_axis(axis, rank, x.type(), "index_add", where);
  shape sizes;
  for (int i = 0; i < rank; ++i)
    sizes.push_back(i == from ? length : x.shape()[i < from ? i : i + indices.rank() - 1]);
  for (int i = 0; i < indices.rank(); ++i) {
    if (x.shape()[from + i] != indices.shape()[i])
      refuse("index_add", "not a slice for each index", types, where);
  }
  task_ptr t(new task(index_add_operation, at.device, where));
  t->attributes = axis_attributes{from};
  add_input(*t, x);
  add_input(*t, indices);
  return launch(at.runtime, std::move(t), sizes, x.dtype());
}

tensor submit_add_along_axis(const tensor& x, const tensor& indices, along_axis_attributes given,
                             std::int64_t length, caller where) {
  const tensor* const inputs[] = {&x, &indices};
  const auto at = common_home("add_along_axis", inputs, where);
  const tensor_type types[] = {x.type(), indices.type()};
  if (x.shape() != indices.shape())
    refuse("add_along_axis", "not an index for each element", types, where);
  if (is_complex(x.dtype())) {
    const auto of = [&](const tensor& part) {
      return submit_add_along_axis(part, indices, given, length, where);
    };
    return detail::by_parts(x, of, where);
  }
  shape sizes = x.shape();
  sizes[given.axis] = length;
  task_ptr t(new task(add_along_axis_operation, at.device, where));
  t->attributes = given;
  add_input(*t, x);
  add_input(*t, indices);
  return launch(at.runtime, std::move(t), sizes, x.dtype());
}

tensor add_along_axis(const tensor& x, const tensor& indices, int axis, std::int64_t length,
                      caller where) {
  const int along = check_along_axis("add_along_axis", x, indices, axis, where);
  if (length < 0) throw error("add_along_axis: a negative length " + std::to_string(length), where);
  return submit_add_along_axis(x, indices, {along}, length, where);
}

}  // namespace troupe
