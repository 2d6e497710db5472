// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/along_axis.hpp"

#include "troupe/tasks/task.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

constexpr std::string_view take_name = "take_along_axis", add_name = "add_along_axis";

const along_axis_attributes& given_to(const gradient_terms& t) noexcept {
  return t.attributes.as<along_axis_attributes>();
}

tensor add_with(const tensor& x, const tensor& indices, along_axis_attributes given,
                std::int64_t length, caller where) {
  const tensor* const inputs[] = {&x, &indices};
  const auto at = common_home(add_name, inputs, where);
  shape sizes = x.shape();
  sizes[given.axis] = length;
  task_ptr t(new task(add_along_axis_operation, at.device, where));
  t->attributes = given;
  add_input(*t, x);
  add_input(*t, indices);
  return launch(at.runtime, std::move(t), sizes, x.dtype());
}

tensor take_with(const tensor& x, const tensor& indices, along_axis_attributes given,
                 caller where) {
  const tensor* const inputs[] = {&x, &indices};
  return apply(take_along_axis_operation, inputs, given, where);
}

tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller where) {
  const int axis = given.as<along_axis_attributes>().axis;
  if (in[0].dims[axis] == 0 && in[1].dims.size() > 0)
    refuse(take_name, "no elements to choose from", in, where);
  tensor_types out;
  out.emplace_back(tensor_type{in[1].dims, in[0].element, in[0].device});
  return out;
}

tensor take_gradient(const gradient_terms& t) {
  const auto given = given_to(t);
  return add_with(t.arriving, t.inputs[1], given, t.types[0].dims[given.axis], {});
}

tensor add_gradient(const gradient_terms& t) {
  return take_with(t.arriving, t.inputs[1], given_to(t), {});
}

/// Throws unless the indices are integers with as many axes as `x`; the axis counted from 0.
int check(std::string_view what, const tensor& x, const tensor& indices, int axis, caller where) {
  const tensor* const inputs[] = {&x, &indices};
  common_home(what, inputs, where);
  const tensor_type types[] = {x.type(), indices.type()};
  if (!is_integer(indices.dtype())) refuse(what, "the indices are no integers", types, where);
  if (x.rank() != indices.rank()) refuse(what, "not as many axes", types, where);
  return checked_axis(axis, x.rank(), x.type(), what, where);
}

std::vector<sample> take_samples() {
  // The tests draw integers from -3 to 3, and every axis here has at least 4 positions.
  constexpr auto last = [](std::span<const tensor> in) {
    return take_along_axis(in[0], in[1], -1);
  };
  constexpr auto first = [](std::span<const tensor> in) {
    return take_along_axis(in[0], in[1], 0);
  };
  std::vector<sample> out;
  for (const auto element : all_dtypes) {
    out.push_back({{{{3, 4}, element, {}}, {{3, 2}, int64, {}}}, last});
    out.push_back({{{{4, 2, 3}, element, {}}, {{5, 2, 3}, int32, {}}}, first});
    out.push_back({{{{4, 1}, element, {}}, {{2, 3}, int64, {}}}, first});
    out.push_back({{{{0, 4}, element, {}}, {{0, 1}, int64, {}}}, last});
  }
  return out;
}

std::vector<sample> add_samples() {
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

constinit const operation take_along_axis_operation = {
    .name = take_name,
    .doc = "The elements at positions along an axis that differ from place to place.",
    .infer = infer,
    .kernel = of_input<&kernel_table::take_along_axis>,
    .flops_per_element = 4,
    .narrow = narrow_floats::taken,
    .gradient = differentiability::available,
    .gradients = {{take_gradient, 1 << 1}},
    .samples = take_samples};

constinit const operation add_along_axis_operation = {
    .name = add_name,
    .doc = "Zeros to which elements are added at positions along an axis.",
    .kernel = of_input<&kernel_table::add_along_axis>,
    .gradient = differentiability::available,
    .gradients = {{add_gradient, 1 << 1}},
    .samples = add_samples};

tensor take_along_axis(const tensor& x, const tensor& indices, int axis, caller where) {
  const int along = check(take_name, x, indices, axis, where);
  auto source = x.shape(), wanted = indices.shape();
  source[along] = wanted[along] = 1;
  const auto both = broadcast(source, wanted);
  const tensor_type types[] = {x.type(), indices.type()};
  if (!both) refuse(take_name, "shapes do not broadcast", types, where);
  source = wanted = *both;
  source[along] = x.shape()[along];
  wanted[along] = indices.shape()[along];
  return take_with(broadcast_to(x, source, where), broadcast_to(indices, wanted, where), {along},
                   where);
}

tensor take_labels(const tensor& x, const tensor& labels, int axis, caller where) {
  constexpr std::string_view what = "take_labels";
  const tensor* const inputs[] = {&x, &labels};
  common_home(what, inputs, where);
  const int along = checked_axis(axis, x.rank(), x.type(), what, where);
  const tensor_type types[] = {x.type(), labels.type()};
  shape expected;
  for (int i = 0; i < x.rank(); ++i)
    if (i != along) expected.push_back(x.shape()[i]);
  if (labels.shape() != expected) refuse(what, "not a label for each place", types, where);
  const auto positions = expand_dims(labels, along, where);
  check(what, x, positions, along, where);
  return squeeze(take_with(x, positions, {along, true}, where), along, where);
}

tensor add_along_axis(const tensor& x, const tensor& indices, int axis, std::int64_t length,
                      caller where) {
  const int along = check(add_name, x, indices, axis, where);
  const tensor_type types[] = {x.type(), indices.type()};
  if (x.shape() != indices.shape()) refuse(add_name, "not an index for each element", types, where);
  if (length < 0) throw error("add_along_axis: a negative length " + std::to_string(length), where);
  return add_with(x, indices, {along}, length, where);
}

}  // namespace troupe
