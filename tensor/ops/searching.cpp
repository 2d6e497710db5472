// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/searching.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

tensor_types infer(std::span<const tensor_type> in, const attributes&, caller) {
  tensor_types out;
  out.emplace_back(tensor_type{in[1].dims, int64, in[1].device});
  return out;
}

std::vector<sample> samples() {
  constexpr auto left = [](std::span<const tensor> in) { return searchsorted(sort(in[0]), in[1]); };
  constexpr auto right = [](std::span<const tensor> in) {
    return searchsorted(sort(in[0]), in[1], "right");
  };
  std::vector<sample> out;
  for (const auto element : real_dtypes) {
    out.push_back({{{{9}, element, {}}, {{3, 4}, element, {}}}, left});
    out.push_back({{{{9}, element, {}}, {{7}, float32, {}}}, right});
    out.push_back({{{{0}, element, {}}, {{2}, element, {}}}, left});
    out.push_back({{{{9}, element, {}}, {{0, 2}, int32, {}}}, right});
  }
  return out;
}

}  // namespace

constinit const operation searchsorted_operation = {
    .name = "searchsorted",
    .doc = "The places where values would be inserted into a vector in order.",
    .infer = infer,
    .kernel = of_input<&kernel_table::searchsorted>,
    .flops_per_element = 50,
    .gradient = differentiability::none,
    .samples = samples,
    .parameters = &sends<search_attributes>};

tensor searchsorted(const tensor& sorted, const tensor& values, std::string_view side,
                    caller where) {
  constexpr std::string_view what = "searchsorted";
  const tensor* const inputs[] = {&sorted, &values};
  common_home(what, inputs, where);
  const tensor_type types[] = {sorted.type(), values.type()};
  if (sorted.rank() != 1) refuse(what, "the first is not a vector", types, where);
  if (side != "left" && side != "right")
    throw error("searchsorted: the side is left or right, not " + std::string(side), where);
  const auto element = promote(sorted.dtype(), values.dtype());
  const auto vector = astype(sorted, element, where), wanted = astype(values, element, where);
  const tensor* const converted[] = {&vector, &wanted};
  return apply(searchsorted_operation, converted, search_attributes{side == "right"}, where);
}

}  // namespace troupe
