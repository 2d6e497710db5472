// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/indexing.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

tensor_types concatenate_infer(std::span<const tensor_type> in, const attributes& given,
                               caller where) {
  const int axis = given.as<axis_attributes>().axis;
  tensor_type out = in[0];
  out.dims[axis] = 0;
  for (const auto& x : in) {
    bool fits = x.dims.rank() == out.dims.rank();
    for (int i = 0; fits && i < out.dims.rank(); ++i) fits = i == axis || x.dims[i] == out.dims[i];
    if (!fits) {
      const tensor_type pair[] = {in[0], x};
      refuse("concatenate", "shapes differ beside axis " + std::to_string(axis), pair, where);
    }
    out.dims[axis] += x.dims[axis];
    if (!out.dims.countable())
      refuse("concatenate", "more elements than can be counted", in, where);
    out.element = promote(out.element, x.element);
  }
  tensor_types all;
  all.emplace_back(out);
  return all;
}

std::vector<const tensor*> pointers(std::string_view what, const std::vector<tensor>& parts,
                                    caller where) {
  if (parts.empty()) throw error(std::string(what) + ": no tensors to join", where);
  std::vector<const tensor*> out;
  for (const auto& x : parts) out.push_back(&x);
  common_home(what, out, where);
  return out;
}

std::vector<sample> concatenate_samples() {
  constexpr auto rows = [](std::span<const tensor> in) {
    return concatenate({in.begin(), in.end()});
  };
  constexpr auto columns = [](std::span<const tensor> in) {
    return concatenate({in.begin(), in.end()}, -1);
  };
  std::vector<sample> out;
  for (const auto element : all_dtypes) {
    out.push_back({{{{2, 3}, element, {}}, {{1, 3}, element, {}}}, rows});
    out.push_back({{{{2, 3}, element, {}}, {{2, 0}, element, {}}, {{2, 2}, element, {}}}, columns});
  }
  out.push_back({{{{2}, int32, {}}, {{3}, float32, {}}}, rows});
  return out;
}

/// The part of an input in the result.
tensor concatenate_gradient(const gradient_terms& t) {
  const int axis = t.attributes.as<axis_attributes>().axis;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < t.input; ++i) before += t.types[i].dims[axis];
  return slice(t.arriving, axis, before, before + t.types[t.input].dims[axis]);
}

tensor_types take_infer(std::span<const tensor_type> in, const attributes& given, caller where) {
  const int axis = given.as<axis_attributes>().axis;
  const auto &x = in[0].dims, &indices = in[1].dims;
  if (!is_integer(in[1].element)) refuse("take", "the indices are no integers", in, where);
  if (x.rank() - 1 + indices.rank() > max_rank) refuse("take", "too many axes come out", in, where);
  if (x[axis] == 0 && indices.size() > 0) refuse("take", "no elements to choose from", in, where);
  tensor_type out{{}, in[0].element, in[0].device};
  for (int i = 0; i < axis; ++i) out.dims.push_back(x[i]);
  for (const auto size : indices) out.dims.push_back(size);
  for (int i = axis + 1; i < x.rank(); ++i) out.dims.push_back(x[i]);
  tensor_types all;
  all.emplace_back(out);
  return all;
}

std::vector<sample> take_samples() {
  // The tests draw integers from -3 to 3, and every axis here has at least 4 positions.
  constexpr auto flat = [](std::span<const tensor> in) { return take(in[0], in[1]); };
  constexpr auto rows = [](std::span<const tensor> in) { return take(in[0], in[1], 0); };
  constexpr auto columns = [](std::span<const tensor> in) { return take(in[0], in[1], -1); };
  std::vector<sample> out;
  for (const auto element : all_dtypes) {
    out.push_back({{{{4, 5}, element, {}}, {{2, 3}, int64, {}}}, flat});
    out.push_back({{{{4, 5}, element, {}}, {{3}, int32, {}}}, rows});
    out.push_back({{{{4, 5}, element, {}}, {{}, int64, {}}}, columns});
    out.push_back({{{{4, 5}, element, {}}, {{0}, int64, {}}}, rows});
  }
  return out;
}

tensor take_gradient(const gradient_terms& t) {
  const int axis = t.attributes.as<axis_attributes>().axis;
  return index_add(t.arriving, t.inputs[1], axis, t.types[0].dims[axis]);
}

tensor_types take_along_axis_infer(std::span<const tensor_type> in, const attributes& given,
                                   caller where) {
  const int axis = given.as<along_axis_attributes>().axis;
  if (in[0].dims.rank() != in[1].dims.rank())
    refuse("take_along_axis", "not as many axes", in, where);
  for (int i = 0; i < in[0].dims.rank(); ++i) {
    if (i != axis && in[0].dims[i] != in[1].dims[i])
      refuse("take_along_axis", "other sizes beside the axis", in, where);
  }
  if (in[0].dims[axis] == 0 && in[1].dims.size() > 0)
    refuse("take_along_axis", "no elements to choose from", in, where);
  tensor_types out;
  out.emplace_back(tensor_type{in[1].dims, in[0].element, in[0].device});
  return out;
}

tensor take_along_axis_gradient(const gradient_terms& t) {
  const auto given = t.attributes.as<along_axis_attributes>();
  return submit_add_along_axis(t.arriving, t.inputs[1], given, t.types[0].dims[given.axis], {});
}

std::vector<sample> take_along_axis_samples() {
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

}  // namespace

constinit const operation concatenate_operation = {.name = "concatenate",
                                                   .doc = "Tensors joined along an axis.",
                                                   .infer = concatenate_infer,
                                                   .kernel = of_output<&kernel_table::concatenate>,
                                                   .flops_per_element = 0,
                                                   .narrow = narrow_dtypes::taken,
                                                   .gradient = differentiability::available,
                                                   .gradients = {{concatenate_gradient}},
                                                   .any_number = true,
                                                   .linear = linearity::together,
                                                   .samples = concatenate_samples,
                                                   .parameters = &sends<axis_attributes>};

tensor concatenate(const std::vector<tensor>& parts, int axis, caller where) {
  auto inputs = pointers("concatenate", parts, where);
  const axis_attributes given{
      detail::checked_axis(axis, parts[0].rank(), parts[0].type(), "concatenate", where)};
  std::vector<tensor_type> types;
  for (const auto& x : parts) types.push_back(x.type());
  const auto element = concatenate_infer(types, given, where)[0].element;
  std::vector<tensor> converted;
  converted.reserve(parts.size());
  for (auto& x : inputs) {
    if (x->dtype() != element) x = &converted.emplace_back(astype(*x, element, where));
  }
  return apply(concatenate_operation, inputs, given, where);
}

tensor stack(const std::vector<tensor>& parts, int axis, caller where) {
  pointers("stack", parts, where);
  std::vector<tensor> expanded;
  for (const auto& x : parts) {
    if (x.shape() != parts[0].shape()) {
      const tensor_type pair[] = {parts[0].type(), x.type()};
      refuse("stack", "shapes differ", pair, where);
    }
    if (x.rank() == max_rank)
      throw error("stack: " + to_string(x.type()) + " has as many axes as are possible", where);
    const int at = detail::checked_axis(axis, x.rank() + 1, x.type(), "stack", where);
    expanded.push_back(expand_dims(x, at, where));
  }
  return concatenate(expanded, axis < 0 ? axis + expanded[0].rank() : axis, where);
}

constinit const operation take_operation = {.name = "take",
                                            .doc = "The elements at given positions along an axis.",
                                            .infer = take_infer,
                                            .kernel = of_input<&kernel_table::take>,
                                            .flops_per_element = 0,
                                            .indices = 1 << 1,
                                            .narrow = narrow_dtypes::taken,
                                            .gradient = differentiability::available,
                                            .gradients = {{take_gradient, 1 << 1}},
                                            .linear = linearity::together,
                                            .samples = take_samples,
                                            .parameters = &sends<axis_attributes>};

tensor take(const tensor& x, const tensor& indices, optional_axis axis, caller where) {
  const tensor* inputs[] = {&x, &indices};
  common_home("take", inputs, where);
  if (axis)
    return apply(take_operation, inputs,
                 axis_attributes{detail::checked_axis(*axis, x.rank(), x.type(), "take", where)},
                 where);
  const auto flat = flatten(x, where);
  inputs[0] = &flat;
  return apply(take_operation, inputs, axis_attributes{0}, where);
}

constinit const operation take_along_axis_operation = {
    .name = "take_along_axis",
    .doc = "The elements at positions along an axis that differ from place to place.",
    .infer = take_along_axis_infer,
    .kernel = of_input<&kernel_table::take_along_axis>,
    .flops_per_element = 4,
    .indices = 1 << 1,
    .narrow = narrow_dtypes::taken,
    .gradient = differentiability::available,
    .gradients = {{take_along_axis_gradient, 1 << 1}},
    .linear = linearity::together,
    .samples = take_along_axis_samples,
    .parameters = &sends<along_axis_attributes>};

int check_along_axis(std::string_view what, const tensor& x, const tensor& indices, int axis,
                     caller where) {
  const tensor* const inputs[] = {&x, &indices};
  common_home(what, inputs, where);
  const tensor_type types[] = {x.type(), indices.type()};
  if (!is_integer(indices.dtype())) refuse(what, "the indices are no integers", types, where);
  if (x.rank() != indices.rank()) refuse(what, "not as many axes", types, where);
  return detail::checked_axis(axis, x.rank(), x.type(), what, where);
}

tensor submit_take_along_axis(const tensor& x, const tensor& indices, along_axis_attributes given,
                              caller where) {
  const tensor* const inputs[] = {&x, &indices};
  return apply(take_along_axis_operation, inputs, given, where);
}

tensor take_along_axis(const tensor& x, const tensor& indices, int axis, caller where) {
  const int along = check_along_axis("take_along_axis", x, indices, axis, where);
  auto source = x.shape(), wanted = indices.shape();
  source[along] = wanted[along] = 1;
  const auto both = broadcast(source, wanted);
  const tensor_type types[] = {x.type(), indices.type()};
  if (!both) refuse("take_along_axis", "shapes do not broadcast", types, where);
  source = wanted = *both;
  source[along] = x.shape()[along];
  wanted[along] = indices.shape()[along];
  return submit_take_along_axis(broadcast_to(x, source, where),
                                broadcast_to(indices, wanted, where), {along}, where);
}

tensor take_labels(const tensor& x, const tensor& labels, int axis, caller where) {
  constexpr std::string_view what = "take_labels";
  const tensor* const inputs[] = {&x, &labels};
  common_home(what, inputs, where);
  const int along = detail::checked_axis(axis, x.rank(), x.type(), what, where);
  const tensor_type types[] = {x.type(), labels.type()};
  shape expected;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != along) expected.push_back(x.shape()[i]);
  }
  if (labels.shape() != expected) refuse(what, "not a label for each place", types, where);
  const auto positions = expand_dims(labels, along, where);
  check_along_axis(what, x, positions, along, where);
  return squeeze(submit_take_along_axis(x, positions, {along, true}, where), along, where);
}

}  // namespace troupe
