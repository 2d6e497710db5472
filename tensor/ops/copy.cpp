// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/copy.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"

namespace troupe {

namespace {

tensor_types infer(std::span<const tensor_type> in, const attributes&, caller) {
  tensor_types out;
  out.emplace_back(in[0]);
  return out;
}

std::vector<sample> samples() {
  constexpr auto call = [](std::span<const tensor> in) { return copy(in[0]); };
  return {{{{{2, 3}, float32, {}}}, call},
          {{{{3, 2}, float64, {}}}, call},
          {{{{}, int32, {}}}, call},
          {{{{3, 0}, boolean, {}}}, call}};
}

}  // namespace

constinit const operation copy_operation = {
    .name = "copy",
    .doc = "The same elements in an array of their own.",
    .infer = infer,
    .kernel = of_input<&kernel_table::copy>,
    .flops_per_element = 0,
    .narrow = narrow_floats::taken,
    .gradient = differentiability::available,
    .gradients = {{[](const gradient_terms& t) { return t.arriving; }}},
    .samples = samples};

tensor copy(const tensor& x, caller where) { return apply(copy_operation, x, {}, where); }

tensor contiguous(const tensor& x, caller where) {
  return x.defined() && x.view().contiguous() ? x : copy(x, where);
}

}  // namespace troupe
