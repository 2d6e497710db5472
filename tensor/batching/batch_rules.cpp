// SPDX-License-Identifier: MIT
#include "troupe/tensor/batching/batch_rules.hpp"
#include "troupe/tasks/deadline.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "troupe/tasks/task.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/fft/records.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/linalg/records.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/convolution.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/pooling.hpp"
#include "troupe/tensor/ops/put.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe {

namespace {

using tensors = std::vector<tensor>;

/// Returns a shape with the batch in front.
shape with_batch(const batched_call& call, const shape& dims) {
  if (dims.rank() >= max_rank) throw needs_loop{};
  shape out{call.count};
  for (const auto size : dims) out.push_back(size);
  return out;
}

/// Runs the operation of a call on arrays, or numbers where they name none.
tensors launched(const batched_call& call, std::span<const tensor> arrays, attributes given,
                 std::span<const tensor_type> outputs) {
  std::vector<const tensor*> pointers;
  for (const auto& x : arrays) {
    if (x.defined()) pointers.push_back(&x);
  }
  auto& e = pointers.empty() ? engine::current(call.op.name, call.call_site)
                             : common_home(call.op.name, pointers, call.call_site).runtime;
  task_ptr t(new task(call.op, call.device, call.call_site));
  t->attributes = std::move(given);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].defined()) add_input(*t, arrays[i]);
    else add_input(*t, call.inputs[i].element, call.inputs[i].number);
  }
  if (outputs.size() == 1) return {1, launch(e, std::move(t), outputs[0])};
  return launch(e, std::move(t), outputs);
}

/// Runs it with the batch in front of all outputs.
tensors in_front(const batched_call& call, std::span<const tensor> arrays, attributes given) {
  auto outputs = call.outputs;
  for (auto& one : outputs) one.dims = with_batch(call, one.dims);
  return launched(call, arrays, std::move(given), outputs);
}

/// Returns an input with the batch in front, repeated if it is the same for all elements.
tensor batched(const batched_call& call, const batch_input& x) {
  if (x.batched || !x.array.defined()) return x.array;
  return broadcast_to(x.array, with_batch(call, x.array.shape()), call.call_site);
}

/// Returns all inputs so, and without gaps.
tensors all_batched(const batched_call& call) {
  tensors out;
  for (const auto& x : call.inputs) out.push_back(contiguous(batched(call, x)));
  return out;
}

/// Runs the operation for one element after the other.
tensors one_by_one(const batched_call& call) {
  // Throws before the work if there is no room for the batch.
  for (const auto& type : call.outputs) with_batch(call, type.dims);
  std::vector<tensors> parts(call.inputs.size()), found(call.outputs.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (call.inputs[i].batched) parts[i] = unstack(call.inputs[i].array, 0, call.call_site);
  }
  for (std::int64_t k = 0; k < call.count; ++k) {
    tensors in;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool own = call.inputs[i].batched;
      const auto& x = own ? parts[i][static_cast<std::size_t>(k)] : call.inputs[i].array;
      in.push_back(x.defined() && own ? contiguous(x) : x);
    }
    const auto out = launched(call, in, call.given.copy(), call.outputs);
    for (std::size_t i = 0; i < out.size(); ++i) found[i].push_back(out[i]);
  }
  tensors all;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& type = call.outputs[i];
    all.push_back(call.count > 0 ? stack(found[i], 0, call.call_site)
                                 : zeros(with_batch(call, type.dims),
                                         {.dtype = type.element, .device = type.device}));
  }
  return all;
}

/// Rows of elementwise.def, and operations that do the same to each element.
tensors elementwise_batch(const batched_call& call) {
  const auto dims = with_batch(call, call.outputs[0].dims);
  tensors in;
  for (const auto& x : call.inputs)
    in.push_back(x.array.defined() ? broadcast_to(x.array, dims, call.call_site) : x.array);
  if (call.op.transfer) in[0] = contiguous(in[0]);
  return in_front(call, in, call.given.copy());
}

tensors reduction_batch(const batched_call& call) {
  auto given = call.given.as<reduction_attributes>();
  given.axes <<= 1;
  return in_front(call, all_batched(call), given);
}

/// Operations along an axis, which moves by one. Indices that are the same for all elements stay as
/// they are where `indices` is the number of their input.
constexpr std::size_t no_indices = ~std::size_t{0};
template <class Attributes, std::size_t Indices = no_indices>
tensors axis_batch(const batched_call& call) {
  auto given = call.given.as<Attributes>();
  ++given.axis;
  if (Indices != no_indices && call.inputs[Indices].batched) return one_by_one(call);
  auto in = all_batched(call);
  if (Indices != no_indices) in[Indices] = call.inputs[Indices].array;
  return in_front(call, in, given);
}

/// Operations on the last axes, which treat those in front of them alike.
tensors last_axes_batch(const batched_call& call) {
  return in_front(call, all_batched(call), call.given.copy());
}

tensors matmul_batch(const batched_call& call) {
  const auto &a = call.inputs[0], &b = call.inputs[1];
  with_batch(call, call.outputs[0].dims);
  const auto where = call.call_site;
  if (call.outputs[0].dims.rank() == 2 && !(a.batched && b.batched)) {
    // One product for all: the batch stands beside the rows, or beside the columns.
    if (a.batched) {
      const auto& dims = a.array.shape();
      const auto rows = reshape(a.array, shape{dims[0] * dims[1], dims[2]}, where);
      const auto all = matmul(rows, b.array, where);
      return {1, reshape(all, with_batch(call, call.outputs[0].dims), where)};
    }
    if (b.array.shape()[2] == 1) {
      const auto columns = reshape(b.array, shape{call.count, b.array.shape()[1]}, where);
      return {1, expand_dims(matmul(columns, swapaxes(a.array, 0, 1, where), where), 2, where)};
    }
  }
  return {1, matmul(batched(call, a), batched(call, b), where)};
}

tensors linear_batch(const batched_call& call) {
  const auto &x = call.inputs[0], &weight = call.inputs[1], &bias = call.inputs[2];
  const auto where = call.call_site;
  const bool relu = &call.op == &linear_relu_operation;
  if (!weight.batched && !bias.batched)
    return {1, relu ? linear_relu(x.array, weight.array, bias.array, where)
                    : linear(x.array, weight.array, bias.array, where)};
  const auto row = expand_dims(bias.array, -2, where);
  const auto sums = matmul(batched(call, x), batched(call, weight), where) + row;
  return {1, relu ? maximum(sums, 0, where) : sums};
}

/// Operations on images that differ from element to element: there are more images.
tensors image_batch(const batched_call& call) {
  const bool kernels =
      &call.op == &conv2d_operation || &call.op == &conv2d_input_gradient_operation;
  tensors in;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const auto& x = call.inputs[i];
    if (kernels && i > 0) {
      if (x.batched) return one_by_one(call);
      in.push_back(x.array);
      continue;
    }
    const auto all = contiguous(batched(call, x));
    shape dims;
    for (int k = 1; k < all.rank(); ++k) dims.push_back(all.shape()[k]);
    dims[0] *= call.count;
    in.push_back(reshape(all, dims, call.call_site));
  }
  auto type = call.outputs[0];
  const auto out = with_batch(call, type.dims);
  type.dims[0] *= call.count;
  const auto all = launched(call, in, call.given.copy(), {&type, 1});
  return {1, reshape(all[0], out, call.call_site)};
}

/// Operations that write to a part of a larger array.
tensors part_batch(const batched_call& call) {
  const auto& one = *call.given.as<part_attributes>().part;
  const auto& dims = call.outputs[0].dims;
  const auto all = std::make_shared<strided_part>();
  all->offset = one.offset;
  all->strides[0] = dims.size();
  std::copy_n(one.strides, max_rank - 1, all->strides + 1);
  return in_front(call, all_batched(call), part_attributes{all});
}

tensors in_time(const batched_call& call) {
  return {call.inputs[0].array.within(call.given.as<deadline>().given, call.call_site)};
}

/// Rule of an operation; null if it has none.
using batch_rule = tensors (*)(const batched_call& call);

struct rule_of_one {
  const operation* op;
  batch_rule rule;
};

constexpr rule_of_one rules[] = {
    {&astype_operation, elementwise_batch},
    {&copy_operation, elementwise_batch},
    {&within_operation, in_time},
    {&transfer_operation, elementwise_batch},
    {&matmul_operation, matmul_batch},
    {&linear_operation, linear_batch},
    {&linear_relu_operation, linear_batch},
    {&softmax_operation, axis_batch<softmax_attributes>},
    {&log_softmax_operation, axis_batch<softmax_attributes>},
    {&concatenate_operation, axis_batch<axis_attributes>},
    {&take_operation, axis_batch<axis_attributes, 1>},
    {&index_add_operation, axis_batch<axis_attributes, 1>},
    {&take_along_axis_operation, axis_batch<along_axis_attributes>},
    {&add_along_axis_operation, axis_batch<along_axis_attributes>},
    {&sort_operation, last_axes_batch},
    {&argsort_operation, last_axes_batch},
    {&argtopk_operation, last_axes_batch},
    {&unslice_operation, part_batch},
    {&replace_part_operation, part_batch},
    {&conv2d_operation, image_batch},
    {&conv2d_input_gradient_operation, image_batch},
    {&max_pool2d_operation, image_batch},
    {&max_pool2d_gradient_operation, image_batch},
    {&max_pool2d_pick_operation, image_batch},
    {&avg_pool2d_operation, image_batch},
    {&avg_pool2d_gradient_operation, image_batch},
};

bool is_one_of(const operation& op, std::span<const operation> family) noexcept {
  return !family.empty() && &op >= family.data() && &op < family.data() + family.size();
}

batch_rule rule_for(const operation& op) noexcept {
  if (is_elementwise(op)) return elementwise_batch;
  if (is_one_of(op, reduction_operations())) return reduction_batch;
  if (is_one_of(op, cumulative_operations())) return axis_batch<axis_attributes>;
  if (is_one_of(op, put_operations())) return axis_batch<axis_attributes, 1>;
  if (is_one_of(op, fft_operations())) return last_axes_batch;
  if (is_one_of(op, linalg_operations())) return last_axes_batch;
  for (const auto& one : rules) {
    if (one.op == &op) return one.rule;
  }
  return nullptr;
}

}  // namespace

std::vector<tensor> run_batched(const batched_call& call) {
  const auto rule = rule_for(call.op);
  return rule ? rule(call) : one_by_one(call);
}

std::vector<tensor> run_once(const batched_call& call) {
  if (call.op.timed) return in_time(call);
  tensors in;
  for (const auto& x : call.inputs) in.push_back(x.array);
  return launched(call, in, call.given.copy(), call.outputs);
}

}  // namespace troupe
