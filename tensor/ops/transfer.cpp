// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/transfer.hpp"

#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/inputs.hpp"

namespace troupe {

namespace {

struct transfer_attributes {
  device to;
};

tensor_types infer(std::span<const tensor_type> in, const attributes& given, caller) {
  tensor_types out;
  out.emplace_back(tensor_type{in[0].dims, in[0].element, given.as<transfer_attributes>().to});
  return out;
}

std::vector<sample> samples() {
  constexpr auto call = [](std::span<const tensor> in) { return to(in[0], cpu(1)); };
  return {{{{{2, 3}, float32, {}}}, call},
          {{{{3, 2}, float64, {}}}, call},
          {{{{0, 2}, int64, {}}}, call}};
}

}  // namespace

constinit const operation transfer_operation = {
    .name = "to",
    .doc = "The same elements on another device.",
    .infer = infer,
    .flops_per_element = 0,
    .transfer = true,
    .narrow = narrow_floats::taken,
    .gradient = differentiability::available,
    .gradients = {{[](const gradient_terms& t) { return to(t.arriving, t.types[0].device); }}},
    .samples = samples};

tensor to(const tensor& x, device place, caller where) {
  const tensor* const inputs[] = {&x};
  const auto from = common_home(transfer_operation.name, inputs, where);
  if (from.device == place) return x;
  from.runtime.at(place, transfer_operation.name, where);
  task_ptr t(new task(transfer_operation, place, where));
  t->attributes = transfer_attributes{place};
  add_input(*t, contiguous(x, where));
  return launch(from.runtime, std::move(t), {x.shape(), x.dtype(), place});
}

}  // namespace troupe
