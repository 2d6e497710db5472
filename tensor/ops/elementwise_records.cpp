// SPDX-License-Identifier: MIT
#include <array>

#include "troupe/devices/kernel_table.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/elementwise_gradients.hpp"
#include "troupe/tensor/ops/elementwise_types.hpp"

namespace troupe {

namespace {

using op_t = elementwise_op;

/// The first input that takes part in promotion: not the condition of a selection.
constexpr std::size_t first_promoted(op_t op) noexcept {
  return info(op).domain == elementwise_domain::selection ? 1 : 0;
}

template <op_t Op>
tensor_types infer(std::span<const tensor_type> in, const attributes&, caller where) {
  shape dims = in[0].dims;
  for (const auto& x : in) {
    const auto both = broadcast(dims, x.dims);
    if (!both) refuse(info(Op).name, "shapes do not broadcast", in, where);
    dims = *both;
  }
  if (first_promoted(Op) == 1 && in[0].element != boolean)
    refuse(info(Op).name, "the condition has no bools", in, where);
  dtype element = dtype::boolean;
  for (const auto& x : in.subspan(first_promoted(Op))) element = promote(element, x.element);
  const auto types = checked_types(Op, element);
  if (!types.possible) refuse(info(Op).name, "not possible for", in, where);
  tensor_types out;
  out.emplace_back(tensor_type{dims, types.result, in[0].device});
  return out;
}

/// The dtype that the inputs promote to. Numbers beside tensors of narrow dtypes have the dtype
/// that is computed in, and do not count.
template <op_t Op>
dtype promoted(const task& t) noexcept {
  dtype tensors = dtype::boolean, all = dtype::boolean;
  for (std::size_t i = first_promoted(Op); i < t.inputs.size(); ++i) {
    const auto& in = t.inputs[i];
    all = promote(all, in.element);
    if (in.source) tensors = promote(tensors, in.element);
  }
  return computed(tensors) == all ? tensors : all;
}

template <op_t Op>
std::vector<sample> samples() {
  constexpr auto call = [](std::span<const tensor> in) {
    const std::vector<tensor_or_scalar> all(in.begin(), in.end());
    return elementwise(Op, all);
  };
  constexpr bool selects = first_promoted(Op) == 1;
  std::vector<sample> out;
  const std::vector<std::array<shape, 3>> shapes = {{shape{2, 3}, {2, 3}, {2, 3}},
                                                    {shape{}, {}, {}},
                                                    {shape{3, 1}, {4}, {2, 1, 1}},
                                                    {shape{0, 3}, {3}, {1, 3}}};
  for (const auto element : all_dtypes) {
    if (!checked_types(Op, element).possible) continue;
    for (const auto& dims : shapes) {
      sample s{{}, call};
      for (int i = 0; i < info(Op).arity; ++i)
        s.inputs.push_back(
            {dims[static_cast<std::size_t>(i)], selects && i == 0 ? dtype::boolean : element, {}});
      out.push_back(std::move(s));
    }
  }
  return out;
}

/// The cost of one element in additions, roughly.
constexpr float flops(op_t op) noexcept {
  return info(op).domain == elementwise_domain::floating ? 8 : 1;
}

template <op_t Op>
constexpr operation make_record() noexcept {
  operation r{.name = info(Op).name, .doc = info(Op).doc};
  r.infer = infer<Op>;
  r.kernel = [](const task& t, const kernel_table& from) {
    return from.elementwise(Op, promoted<Op>(t));
  };
  r.flops_per_element = flops(Op);
  r.in_place = operation::any_input;
  r.numbers = operation::any_input;
  r.narrow = narrow_dtypes::taken_where_possible;
  r.gradient = differentiability::none;
  for (int i = 0; i < info(Op).arity; ++i) {
    const auto& column = elementwise_gradients::table[static_cast<int>(Op)][i];
    r.gradients[i] = column.rule;
    if (column.flows) r.gradient = differentiability::available;
    if (!column.known) r.gradient = differentiability::unknown;
  }
  r.samples = samples<Op>;
  return r;
}

}  // namespace

constinit const operation elementwise_records[elementwise_op_count] = {
#define TROUPE_UNARY(name, ...) make_record<op_t::name>(),
#define TROUPE_BINARY(name, ...) make_record<op_t::name>(),
#define TROUPE_TERNARY(name, ...) make_record<op_t::name>(),
#include "troupe/devices/elementwise.def"
};

}  // namespace troupe
