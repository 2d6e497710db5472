// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/softmax.hpp"

#include <numeric>
#include <vector>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/parameter_codec.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe {

namespace {

tensor_types infer(std::span<const tensor_type> in, const attributes&, caller) {
  tensor_types out;
  out.emplace_back(in[0]);
  return out;
}

tensor apply_along(const operation& op, const tensor& x, int axis, caller where) {
  check_defined(op.name, x, where);
  const tensor_type types[] = {x.type()};
  if (is_complex(x.dtype())) refuse(op.name, "complex numbers have no order", types, where);
  const softmax_attributes given{detail::checked_axis(axis, x.rank(), x.type(), op.name, where)};
  return apply(op, is_floating(x.dtype()) ? x : astype(x, float64, where), given, where);
}

/// Makes one axis of several, which comes last for as long.
tensor apply_along(const operation& op, const tensor& x, const axes& over, caller where) {
  check_defined(op.name, x, where);
  const auto some = over.list(x.type(), op.name, where);
  if (some.size() == 1) return apply_along(op, x, some[0], where);
  std::vector<int> last(some.size());
  std::iota(last.begin(), last.end(), -static_cast<int>(some.size()));
  const auto moved = moveaxis(x, some, last, where);
  shape flat;
  std::int64_t together = 1;
  for (int i = 0; i < x.rank(); ++i) {
    const auto size = moved.shape()[i];
    if (i + static_cast<int>(some.size()) < x.rank()) flat.push_back(size);
    else together *= size;
  }
  flat.push_back(together);
  const auto out = apply_along(op, reshape(moved, flat, where), -1, where);
  return moveaxis(reshape(out, moved.shape(), where), last, some, where);
}

int axis_of(const gradient_terms& t) noexcept { return t.attributes.as<softmax_attributes>().axis; }

template <softmax_op Op>
tensor gradient(const gradient_terms& t) {
  const auto &z = t.result, &g = t.arriving;
  if constexpr (Op == softmax_op::softmax) return z * (g - sum(g * z, axis_of(t), keepdims));
  else return g - exp(z) * sum(g, axis_of(t), keepdims);
}

template <softmax_op Op>
constexpr operation record(std::string_view name, std::string_view doc,
                           std::vector<sample> (*samples)()) {
  operation r{.name = name, .doc = doc};
  r.infer = infer;
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.softmax(Op, t.inputs[0].element);
  };
  r.flops_per_element = 10;
  r.gradient = differentiability::available;
  r.gradients[0] = {gradient<Op>, gradient_rule::needs_result};
  r.samples = samples;
  r.parameters = &sends<softmax_attributes>;
  return r;
}

template <tensor (*Function)(const tensor&, int, caller)>
std::vector<sample> samples() {
  constexpr auto last = [](std::span<const tensor> in) { return Function(in[0], -1, {}); };
  constexpr auto first = [](std::span<const tensor> in) { return Function(in[0], 0, {}); };
  return {{{{{3, 4}, float32, {}}}, last},
          {{{{3, 4, 2}, float64, {}}}, first},
          {{{{0, 4}, float32, {}}}, last}};
}

}  // namespace

constinit const operation softmax_operation = record<softmax_op::softmax>(
    "softmax", "Exponentials divided by their sum along an axis.", samples<softmax>);
constinit const operation log_softmax_operation = record<softmax_op::log_softmax>(
    "log_softmax", "The logarithm of softmax along an axis.", samples<log_softmax>);

tensor softmax(const tensor& x, int axis, caller where) {
  return apply_along(softmax_operation, x, axis, where);
}

tensor softmax(const tensor& x, const axes& over, caller where) {
  return apply_along(softmax_operation, x, over, where);
}

tensor log_softmax(const tensor& x, int axis, caller where) {
  return apply_along(log_softmax_operation, x, axis, where);
}

tensor log_softmax(const tensor& x, const axes& over, caller where) {
  return apply_along(log_softmax_operation, x, over, where);
}

}  // namespace troupe
