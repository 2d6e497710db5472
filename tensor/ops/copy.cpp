// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/copy.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"

namespace troupe {

namespace {

tensor_types copy_type(std::span<const tensor_type> in, const attributes&, caller) {
  tensor_types out;
  out.emplace_back(in[0]);
  return out;
}

std::vector<sample> copy_samples() {
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
    .infer = copy_type,
    .kernel = of_input<&kernel_table::copy>,
    .flops_per_element = 0,
    .narrow = narrow_dtypes::taken,
    .gradient = differentiability::available,
    .gradients = {{[](const gradient_terms& t) { return t.arriving; }}},
    .linear = linearity::together,
    .samples = copy_samples};

tensor copy(const tensor& x, caller where) { return apply(copy_operation, x, {}, where); }

tensor contiguous(const tensor& x, caller where) {
  return x.defined() && x.view().contiguous() ? x : copy(x, where);
}

namespace {

struct cast_attributes {
  dtype to;

  bool operator==(const cast_attributes&) const = default;
};

tensor_types cast_type(std::span<const tensor_type> in, const attributes& given, caller) {
  tensor_types out;
  out.emplace_back(tensor_type{in[0].dims, given.as<cast_attributes>().to, in[0].device});
  return out;
}

std::vector<sample> cast_samples() {
  return {
      {{{{2, 3}, float32, {}}}, [](std::span<const tensor> in) { return astype(in[0], int32); }},
      {{{{2, 3}, int64, {}}}, [](std::span<const tensor> in) { return astype(in[0], float64); }},
      {{{{}, float64, {}}}, [](std::span<const tensor> in) { return astype(in[0], boolean); }},
      {{{{0, 4}, boolean, {}}}, [](std::span<const tensor> in) { return astype(in[0], float32); }}};
}

}  // namespace

constinit const operation astype_operation = {.name = "astype",
                                              .doc = "The elements converted to another dtype.",
                                              .infer = cast_type,
                                              .kernel =
                                                  [](const task& t, const kernel_table& from) {
                                                    return from.astype(t.inputs[0].element,
                                                                       t.outputs[0]->element);
                                                  },
                                              .narrow = narrow_dtypes::taken,
                                              .gradient = differentiability::available,
                                              .gradients = {{[](const gradient_terms& t) {
                                                return t.arriving;
                                              }}},  // converted back on the way
                                              .linear = linearity::together,
                                              .samples = cast_samples,
                                              .parameters = &sends<cast_attributes>};

tensor astype(const tensor& x, dtype element, caller where) {
  if (x.defined() && x.dtype() == element) return x;
  if (x.defined() && is_complex(x.dtype()) && !is_complex(element) && element != boolean) {
    const auto* const user = detail::on_behalf_of::line();
    throw error("astype: " + to_string(x.type()) + " is not real: take real, imag or abs of it",
                user ? *user : where);
  }
  return apply(astype_operation, x, cast_attributes{element}, where);
}

namespace {

struct transfer_attributes {
  device to;

  bool operator==(const transfer_attributes&) const = default;
};

tensor_types transfer_type(std::span<const tensor_type> in, const attributes& given, caller) {
  tensor_types out;
  out.emplace_back(tensor_type{in[0].dims, in[0].element, given.as<transfer_attributes>().to});
  return out;
}

std::vector<sample> transfer_samples() {
  constexpr auto call = [](std::span<const tensor> in) { return to(in[0], cpu(1)); };
  return {{{{{2, 3}, float32, {}}}, call},
          {{{{3, 2}, float64, {}}}, call},
          {{{{0, 2}, int64, {}}}, call}};
}

}  // namespace

constinit const operation transfer_operation = {
    .name = "to",
    .doc = "The same elements on another device.",
    .infer = transfer_type,
    .flops_per_element = 0,
    .transfer = true,
    .narrow = narrow_dtypes::taken,
    .gradient = differentiability::available,
    .gradients = {{[](const gradient_terms& t) { return to(t.arriving, t.types[0].device); }}},
    .linear = linearity::together,
    .samples = transfer_samples};

tensor to(const tensor& x, device place, caller where) {
  if (x.defined() && x.source()->device == place) return x;
  const tensor* const inputs[] = {&x};
  const auto from = common_home(transfer_operation.name, inputs, where);
  from.runtime.at(place, transfer_operation.name, where);
  task_ptr t(new task(transfer_operation, place, where));
  t->attributes = transfer_attributes{place};
  add_input(*t, contiguous(x, where));
  return launch(from.runtime, std::move(t), {x.shape(), x.dtype(), place});
}

}  // namespace troupe
