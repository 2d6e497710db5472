// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/cast.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"

namespace troupe {

namespace {

struct cast_attributes {
  dtype to;
};

tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller) {
  tensor_types out;
  out.emplace_back(tensor_type{in[0].dims, given.as<cast_attributes>().to, in[0].device});
  return out;
}

std::vector<sample> samples() {
  return {
      {{{{2, 3}, float32, {}}}, [](std::span<const tensor> in) { return astype(in[0], int32); }},
      {{{{2, 3}, int64, {}}}, [](std::span<const tensor> in) { return astype(in[0], float64); }},
      {{{{}, float64, {}}}, [](std::span<const tensor> in) { return astype(in[0], boolean); }},
      {{{{0, 4}, boolean, {}}}, [](std::span<const tensor> in) { return astype(in[0], float32); }}};
}

}  // namespace

constinit const operation astype_operation = {.name = "astype",
                                              .doc = "The elements converted to another dtype.",
                                              .infer = infer,
                                              .kernel =
                                                  [](const task& t, const kernel_table& from) {
                                                    return from.astype(t.inputs[0].element,
                                                                       t.outputs[0]->element);
                                                  },
                                              .narrow = narrow_floats::taken,
                                              .gradient = differentiability::available,
                                              .gradients = {{[](const gradient_terms& t) {
                                                return t.arriving;
                                              }}},  // converted back on the way
                                              .samples = samples};

tensor astype(const tensor& x, dtype element, caller where) {
  if (x.defined() && x.dtype() == element) return x;
  return apply(astype_operation, x, cast_attributes{element}, where);
}

}  // namespace troupe
