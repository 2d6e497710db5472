// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/take.hpp"

#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"

namespace troupe {

namespace {

tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller where) {
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

std::vector<sample> samples() {
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

tensor gradient(const gradient_terms& t) {
  const int axis = t.attributes.as<axis_attributes>().axis;
  return index_add(t.arriving, t.inputs[1], axis, t.types[0].dims[axis]);
}

}  // namespace

constinit const operation take_operation = {.name = "take",
                                            .doc = "The elements at given positions along an axis.",
                                            .infer = infer,
                                            .kernel = of_input<&kernel_table::take>,
                                            .flops_per_element = 0,
                                            .narrow = narrow_floats::taken,
                                            .gradient = differentiability::available,
                                            .gradients = {{gradient, 1 << 1}},
                                            .samples = samples};

tensor take(const tensor& x, const tensor& indices, std::optional<int> axis, caller where) {
  const tensor* inputs[] = {&x, &indices};
  common_home("take", inputs, where);
  if (axis)
    return apply(take_operation, inputs,
                 axis_attributes{checked_axis(*axis, x.rank(), x.type(), "take", where)}, where);
  const auto flat = flatten(x, where);
  inputs[0] = &flat;
  return apply(take_operation, inputs, axis_attributes{0}, where);
}

}  // namespace troupe
