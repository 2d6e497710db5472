// SPDX-License-Identifier: MIT
#include "troupe/nodes/task_checks.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "troupe/devices/made_once.hpp"
#include "troupe/devices/update.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/call.hpp"
#include "troupe/tensor/ops/convolution_shapes.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/tensor/ops/pooling.hpp"

namespace troupe {

namespace {

void check(bool fits, const char* what) {
  if (!fits) throw std::runtime_error(what);
}

/// The parameters of a task if they are of this type, else null.
template <class T>
const T* as(const operation& op, const attributes& given) noexcept {
  return op.parameters == &sends<T> && !given.empty() ? &given.as<T>() : nullptr;
}

/// Checks that single numbers stand where the operation takes them. All have one dtype.
void check_numbers(const sent_task& one, const operation& op) {
  const sent_input* known = nullptr;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const auto& in = one.inputs[i];
    if (!in.number) continue;
    check(i < 8 && (op.numbers >> i & 1) != 0, "a number in place of an array");
    check(size_of(in.element) <= sizeof(std::uint64_t), "a number of a dtype without numbers");
    check(!known || known->element == in.element, "numbers of several dtypes");
    known = &in;
  }
}

void check_parameters(const sent_task& one, const operation& op, const attributes& given) {
  if (one.inputs.empty()) return;
  const auto& first = one.inputs[0].view.dims;
  const auto is_axis = [&](int axis) {
    check(axis >= 0 && axis < first.rank(), "an axis that its input does not have");
  };
  if (const auto* g = as<axis_attributes>(op, given); g && op.infer) is_axis(g->axis);
  if (const auto* g = as<along_axis_attributes>(op, given)) is_axis(g->axis);
  if (const auto* g = as<softmax_attributes>(op, given)) is_axis(g->axis);
  if (const auto* g = as<reduction_attributes>(op, given))
    check(g->axes >> first.rank() == 0, "axes that its input does not have");
  if (const auto* g = as<topk_attributes>(op, given))
    check(first.rank() > 0 && g->count >= 0 && g->count <= first[-1],
          "more places than there are elements");
  if (const auto* g = as<fft_attributes>(op, given)) {
    check(first.rank() > 0 && g->length > 0, "a transform of no elements");
    check(first[-1] == g->length || first[-1] == g->length / 2 + 1,
          "a transform of another length");
  }
  if (as<update_attributes>(op, given))
    check(one.inputs[one.inputs.size() - 1].element == computed(one.inputs[0].element),
          "a scale of another dtype");
  if (const auto* g = as<part_attributes>(op, given)) {
    layout part(one.inputs[one.inputs.size() - 1].view.dims);
    part.offset = g->part->offset;
    for (int i = 0; i < part.dims.rank(); ++i) part.strides[i] = g->part->strides[i];
    check(lies_within(part, one.outputs[0].dims.size()), "a part beyond its array");
  }
}

/// Checks what goes into a convolution, or into one of its gradients.
void check_convolution(const sent_task& one, const operation& op, const attributes& given) {
  constexpr auto wrong = "images that do not fit their convolution";
  const bool biased = op.name == "conv2d" && one.inputs.size() == 3;
  check(biased || one.inputs.size() == 2, wrong);
  for (const auto& x : one.inputs) check(x.element == one.outputs[0].element, wrong);
  const auto type_at = [&](std::size_t i) -> tensor_type {
    return {one.inputs[i].view.dims, one.inputs[i].element, {}};
  };
  const tensor_type out{one.outputs[0].dims, one.outputs[0].element, {}};
  const bool to_images = op.name == "conv2d_input_gradient",
             to_weights = op.name == "conv2d_weight_gradient";
  const tensor_type types[] = {to_images ? out : type_at(0), to_weights ? out : type_at(1)};
  const auto result = to_images ? type_at(0) : to_weights ? type_at(1) : out;
  const auto& attributes = given.as<convolution_attributes>();
  check_images(op.name, types, {});
  check_attributes(op.name, attributes, types, {});
  check(convolution_shape(op.name, types[0].dims, types[1].dims, attributes, types, {}) ==
            result.dims,
        wrong);
  if (biased) check(one.inputs[2].view.dims == shape{result.dims[1]}, wrong);
}

/// Checks what goes into a pool, or into one of its gradients.
void check_pool(const sent_task& one, const operation& op, const attributes& given) {
  constexpr auto wrong = "images that do not fit their pool";
  const auto& in = one.inputs;
  for (const auto& x : in) check(x.view.contiguous() && x.element == one.outputs[0].element, wrong);
  const auto &first = in[0].view.dims, &out = one.outputs[0].dims;
  const bool back = op.name == "avg_pool2d_gradient",
             tells_images = op.name.starts_with("max_pool2d_");
  check(in.size() == (tells_images ? 2 : 1), wrong);
  const auto& images = back ? out : first;
  const auto pooled = detail::pooled_shape(op.name, {images, in[0].element, {}},
                                           given.as<pooling_attributes>(), {});
  if (op.name == "max_pool2d_gradient") check(in[1].view.dims == pooled && out == images, wrong);
  else if (op.name == "max_pool2d_pick") check(in[1].view.dims == images && out == pooled, wrong);
  else check((back ? first : out) == pooled, wrong);
}

/// Checks the shapes of operations whose results' shapes do not follow from their inputs'.
void check_shapes(const sent_task& one, const operation& op, const attributes& given) {
  const auto in = [&](std::size_t i) -> const shape& { return one.inputs[i].view.dims; };
  const auto& out = one.outputs[0].dims;
  constexpr auto wrong = "arrays of shapes that do not fit together";
  if (as<convolution_attributes>(op, given)) {
    check_convolution(one, op, given);
  } else if (as<pooling_attributes>(op, given)) {
    check_pool(one, op, given);
  } else if (op.name == "add_along_axis") {
    const auto axis = given.as<along_axis_attributes>().axis;
    check(one.inputs.size() == 2 && in(0) == in(1) && out.rank() == in(0).rank(), wrong);
    for (int i = 0; i < out.rank(); ++i) check(i == axis || out[i] == in(0)[i], wrong);
  } else if (op.name == "index_add") {
    const auto axis = given.as<axis_attributes>().axis;
    check(one.inputs.size() == 2 && axis >= 0 && axis < out.rank(), wrong);
    const auto &x = in(0), &indices = in(1);
    check(x.rank() == out.rank() - 1 + indices.rank(), wrong);
    for (int i = 0; i < x.rank(); ++i) {
      const bool before = i < axis, behind = i >= axis + indices.rank();
      check(x[i] == (before   ? out[i]
                     : behind ? out[i - indices.rank() + 1]
                              : indices[i - axis]),
            wrong);
    }
  } else if (op.name == "replace_part") {
    check(one.inputs.size() == 2 && in(0) == out, wrong);
    for (const auto& x : one.inputs) check(x.element == one.outputs[0].element, wrong);
  } else if (op.name == "true_positions") {
    check(one.inputs.size() == 2 && in(0) == in(1), wrong);
    check(one.inputs[0].element == boolean && one.inputs[1].element == int64 &&
              one.outputs[0].element == int64,
          wrong);
    for (const auto& x : one.inputs) check(x.view.contiguous(), wrong);
  } else if (op.name == "eye") {
    check(out.rank() >= 2, wrong);
  } else if (op.random && !one.inputs.empty()) {  // drawn by rejection
    check(one.outputs[0].element == float64, wrong);
    for (const auto& x : one.inputs) {
      check(x.element == float64, wrong);
      check(x.number || (x.view.contiguous() && (x.view.dims.size() == 1 || x.view.dims == out)),
            wrong);
    }
  }
}

/// Throws unless a task can run.
void check_task(const sent_task& one, const known_operation& op, const attributes& given) {
  const auto& record = *op.record;
  const bool any = record.any_number || !record.infer;
  check(any ? op.inputs == 0 || !one.inputs.empty() : one.inputs.size() == op.inputs,
        "another number of inputs than it takes");
  check(!one.outputs.empty(), "a task without a result");
  check(given.empty() || record.parameters, "parameters that it does not have");
  check_numbers(one, record);
  check_parameters(one, record, given);
  if (record.registered) {
    for (const auto& in : one.inputs)
      check(in.view.contiguous(), "elements that are not one behind the other");
    return;
  }
  // The engine's own conversions have none, and go to whatever their result is.
  if (record.parameters && given.empty())
    return check(record.name == "astype" && one.inputs[0].view.dims == one.outputs[0].dims,
                 "no parameters");
  if (!record.infer) {
    check_shapes(one, record, given);
    // The positions of what is true are integers; the others compute in their first input's dtype.
    if (!one.inputs.empty() && !record.indices && one.inputs[0].element != boolean)
      check(one.inputs[0].element == one.outputs[0].element, "a result of another dtype");
    return;
  }
  auto arrays = dtype::boolean;
  for (const auto& in : one.inputs) {
    if (!in.number) arrays = promote(arrays, in.element);
  }
  std::vector<tensor_type> types;
  for (const auto& in : one.inputs) {
    if (!in.number) types.push_back({in.view.dims, in.element, {}});
    // Beside arrays of narrow dtypes it has the dtype that is computed in.
    else types.push_back({{}, in.element == computed(arrays) ? arrays : in.element, {}});
  }
  const auto outputs = record.infer(types, given, {});
  check(outputs.size() == one.outputs.size(), "another number of results than it has");
  for (std::size_t i = 0; i < outputs.size(); ++i)
    check(outputs[i].dims == one.outputs[i].dims && outputs[i].element == one.outputs[i].element,
          "other results than its inputs give");
}

}  // namespace

known_operation find_known(std::string_view name) {
  static constinit made_once<const std::unordered_map<std::string_view, known_operation>> table;
  const auto& all = table.get([] {
    std::unordered_map<std::string_view, known_operation> out;
    for (const auto* op : all_operations()) {
      if (!op->transfer) out.emplace(op->name, known_operation{op, op->samples()[0].inputs.size()});
    }
    return out;
  });
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  return {detail::find_registered(name), 0};
}

std::string problem_with(const sent_task& one, const known_operation& op, const attributes& given) {
  try {
    check_task(one, op, given);
    return {};
  } catch (const std::exception& e) { return e.what(); }
}

value_ref bools_of(engine& with, const value_ref& bytes) {
  const shape all{static_cast<std::int64_t>(bytes->bytes())};
  task_ptr t(new task(*find_known("not_equal").record, bytes->device, {}));
  auto& read = t->inputs.emplace_back();
  read.source = bytes;
  read.element = uint8;
  read.part = view_ref(new shared_view(layout(all)));
  t->inputs.emplace_back().element = uint8;  // the number 0
  value_ref out(new value(boolean, bytes->device, all));
  out->engine = with.id();
  t->add_output(out);
  submit(with, std::move(t));
  return out;
}

bool lies_within(const layout& view, std::int64_t count) noexcept {
  if (view.dims.size() == 0) return true;
  std::int64_t least = view.offset, greatest = view.offset;
  for (int i = 0; i < view.dims.rank(); ++i) {
    std::int64_t extent = 0;
    if (__builtin_mul_overflow(view.dims[i] - 1, view.strides[i], &extent) ||
        __builtin_add_overflow(extent < 0 ? least : greatest, extent,
                               extent < 0 ? &least : &greatest))
      return false;
  }
  return least >= 0 && greatest < count;
}

}  // namespace troupe
