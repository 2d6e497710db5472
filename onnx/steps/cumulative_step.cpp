// SPDX-License-Identifier: MIT
#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/element_rule.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/view_nodes.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/cumulative.hpp"

namespace troupe {

namespace {

term scan_joined(cumulative_op op, const term& x, const term& y) {
  switch (op) {
    case cumulative_op::prod: return x * y;
    case cumulative_op::max: return call("Max", x, y);
    case cumulative_op::min: return call("Min", x, y);
    default: return logaddexp_of(x, y);
  }
}

term part_along(const term& x, int axis, std::int64_t first, std::int64_t count) {
  layout view(x.value().dims);
  view.dims[axis] = count;
  view.offset = first * view.strides[axis];
  return {x.to(), add_view(x.to(), x.value(), view)};
}

/// Joins each element with the one before it, then with what is two before, then four, and so on:
/// ONNX has no operator for it. Each time those in front are complete.
term scanned(cumulative_op op, term x, int axis) {
  const auto dims = x.value().dims;
  for (std::int64_t step = 1; step < dims[axis]; step *= 2) {
    const auto rest = dims[axis] - step;
    const auto joined =
        scan_joined(op, part_along(x, axis, 0, rest), part_along(x, axis, step, rest));
    x = {x.to(), x.to().add("Concat", {part_along(x, axis, 0, step).value(), joined.value()},
                            x.element(), dims, {{"axis", std::int64_t{axis}}})};
  }
  return x;
}

void write_cumulative(const written_step& s) {
  auto& to = s.to();
  const auto op = static_cast<cumulative_op>(&s.op() - cumulative_operations().data());
  const auto axis = s.given<axis_attributes>().axis;
  const auto element = s.result().element == boolean ? int32 : computed(s.result().element);
  if (op != cumulative_op::sum)
    return s.out(scanned(op, {to, to.cast(s.in(), element)}, axis).value());
  // Signed sums have the same bits, and more runners know them.
  const auto x = to.cast(s.in(), element == uint64 ? int64 : element);
  const auto along = to.number({int64, static_cast<std::uint64_t>(axis)});
  s.out(to.add("CumSum", {x, along}, x.element, x.dims));
}

}  // namespace

std::vector<step_rule> cumulative_step_rules() {
  std::vector<step_rule> out;
  for (const auto& one : cumulative_operations()) out.push_back({&one, write_cumulative});
  return out;
}

}  // namespace troupe
