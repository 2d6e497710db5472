// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/linear.hpp"

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

/// The type of the result. Throws for inputs that do not fit.
tensor_type result_type(std::string_view what, std::span<const tensor_type> in, caller where) {
  const auto &x = in[0].dims, &weight = in[1].dims, &bias = in[2].dims;
  for (const auto& one : in) {
    if (!is_floating(one.element)) refuse(what, "not of floating numbers", in, where);
  }
  if (x.rank() == 0) refuse(what, "a scalar has no axis to multiply along", in, where);
  if (weight.rank() != 2) refuse(what, "the weight is not a matrix", in, where);
  if (x[x.rank() - 1] != weight[0]) refuse(what, "inner sizes differ", in, where);
  if (bias != shape{weight[1]}) refuse(what, "not a bias for each column of the weight", in, where);
  shape out;
  for (int axis = 0; axis + 1 < x.rank(); ++axis) out.push_back(x[axis]);
  out.push_back(weight[1]);
  return {out, promote(promote(in[0].element, in[1].element), in[2].element), in[0].device};
}

work cost(const task& t) {
  work w;
  for (const auto& in : t.inputs)
    w.bytes +=
        static_cast<double>(in.view().dims.size()) * static_cast<double>(size_of(in.element));
  const auto out = t.outputs[0]->type();
  w.bytes += static_cast<double>(out.bytes());
  w.flops = static_cast<double>(out.dims.size()) *
            (1 + 2 * static_cast<double>(t.inputs[0].view().dims[1]));
  return w;
}

// The kernel's x has two axes.
tensor input_gradient(const gradient_terms& t) {
  return matmul(t.arriving, swapaxes(t.inputs[1], 0, 1));
}
tensor weight_gradient(const gradient_terms& t) {
  return matmul(swapaxes(t.inputs[0], 0, 1), t.arriving);
}
tensor bias_gradient(const gradient_terms& t) { return sum(t.arriving, 0); }

/// The result is positive where what relu was given is.
tensor through_relu(const gradient_terms& t) { return relu_gradient(t.result, t.arriving); }

template <tensor (*Function)(const tensor&, const tensor&, const tensor&, caller)>
std::vector<sample> samples() {
  constexpr auto call = [](std::span<const tensor> in) {
    return Function(in[0], in[1], in[2], {});
  };
  std::vector<sample> out;
  for (const auto e : {float32, float64}) {
    for (const auto& [x, weight] :
         std::initializer_list<std::pair<shape, shape>>{{{2, 3}, {3, 4}},
                                                        {{3}, {3, 2}},
                                                        {{2, 3, 4}, {4, 5}},
                                                        {{17, 9}, {9, 11}},
                                                        {{2, 0}, {0, 3}},
                                                        {{0, 3}, {3, 2}},
                                                        {{2, 3}, {3, 0}}})
      out.push_back({{{x, e, {}}, {weight, e, {}}, {{weight[1]}, e, {}}}, call});
  }
  out.push_back({{{{2, 3}, float64, {}}, {{3, 2}, float32, {}}, {{2}, float64, {}}}, call});
  return out;
}

template <linear_op Op>
constexpr operation record(std::string_view name, std::string_view doc,
                           std::vector<sample> (*samples)()) {
  operation r{.name = name, .doc = doc};
  r.infer = [](std::span<const tensor_type> in, const attributes&, caller where) {
    tensor_types out;
    out.emplace_back(result_type(Op == linear_op::linear ? "linear" : "linear_relu", in, where));
    return out;
  };
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.linear(Op, t.outputs[0]->element);
  };
  r.cost = cost;
  r.narrow = narrow_dtypes::taken_where_possible;
  r.gradient = differentiability::available;
  if (Op == linear_op::linear_relu) r.arriving = {through_relu, gradient_rule::needs_result};
  r.gradients[0] = {input_gradient, 1 << 1};
  r.gradients[1] = {weight_gradient, 1 << 0};
  r.gradients[2] = {bias_gradient};
  if (Op == linear_op::linear) r.linear = linearity::each;
  r.samples = samples;
  return r;
}

tensor apply(const operation& op, const tensor& x, const tensor& weight, const tensor& bias,
             caller where) {
  const tensor* const inputs[] = {&x, &weight, &bias};
  const auto at = common_home(op.name, inputs, where);
  const tensor_type types[] = {x.type(), weight.type(), bias.type()};
  const auto out = result_type(op.name, types, where);
  std::int64_t rows = 1;
  for (int axis = 0; axis + 1 < x.rank(); ++axis) rows *= x.shape()[axis];
  const auto flat = x.rank() == 2 ? x : reshape(x, {rows, weight.shape()[0]}, where);
  task_ptr t(new task(op, at.device, where));
  add_input(*t, detail::matrix_operand(flat, out.element, where));
  add_input(*t, detail::matrix_operand(weight, out.element, where));
  add_input(*t, astype(bias, out.element, where));
  const auto y = launch(at.runtime, std::move(t), {rows, weight.shape()[1]}, out.element);
  return x.rank() == 2 ? y : y.viewed(layout(out.dims));
}

}  // namespace

constinit const operation linear_operation = record<linear_op::linear>(
    "linear", "The product with a matrix, and a bias for each of its columns added.",
    samples<linear>);
constinit const operation linear_relu_operation = record<linear_op::linear_relu>(
    "linear_relu", "What linear gives, or 0 where it is negative.", samples<linear_relu>);

tensor linear(const tensor& x, const tensor& weight, const tensor& bias, caller where) {
  return apply(linear_operation, x, weight, bias, where);
}

tensor linear_relu(const tensor& x, const tensor& weight, const tensor& bias, caller where) {
  return apply(linear_relu_operation, x, weight, bias, where);
}

}  // namespace troupe
