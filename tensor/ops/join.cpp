// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/join.hpp"

#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/cast.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe {

namespace {

tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller where) {
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

std::vector<sample> samples() {
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
tensor gradient(const gradient_terms& t) {
  const int axis = t.attributes.as<axis_attributes>().axis;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < t.input; ++i) before += t.types[i].dims[axis];
  return slice(t.arriving, axis, before, before + t.types[t.input].dims[axis]);
}

}  // namespace

constinit const operation concatenate_operation = {.name = "concatenate",
                                                   .doc = "Tensors joined along an axis.",
                                                   .infer = infer,
                                                   .kernel = of_output<&kernel_table::concatenate>,
                                                   .flops_per_element = 0,
                                                   .narrow = narrow_floats::taken,
                                                   .gradient = differentiability::available,
                                                   .gradients = {{gradient}},
                                                   .any_number = true,
                                                   .samples = samples};

tensor concatenate(const std::vector<tensor>& parts, int axis, caller where) {
  auto inputs = pointers("concatenate", parts, where);
  const axis_attributes given{
      checked_axis(axis, parts[0].rank(), parts[0].type(), "concatenate", where)};
  std::vector<tensor_type> types;
  for (const auto& x : parts) types.push_back(x.type());
  const auto element = infer(types, given, where)[0].element;
  std::vector<tensor> converted;
  converted.reserve(parts.size());
  for (auto& x : inputs)
    if (x->dtype() != element) x = &converted.emplace_back(astype(*x, element, where));
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
    const int at = checked_axis(axis, x.rank() + 1, x.type(), "stack", where);
    expanded.push_back(expand_dims(x, at, where));
  }
  return concatenate(expanded, axis < 0 ? axis + expanded[0].rank() : axis, where);
}

}  // namespace troupe
