// SPDX-License-Identifier: MIT
#include "troupe/onnx/written_step.hpp"

#include "troupe/onnx/view_nodes.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe {

namespace {

/// Returns a view without what is repeated, and without leading axes along which it is.
layout once(const layout& view) {
  layout out;
  out.offset = view.offset;
  for (int i = 0; i < view.dims.rank(); ++i) {
    const bool repeated = view.strides[i] == 0 && view.dims[i] != 0;
    if (repeated && out.dims.rank() == 0) continue;
    out.strides[out.dims.rank()] = view.strides[i];
    out.dims.push_back(repeated ? 1 : view.dims[i]);
  }
  return out;
}

/// Returns true if a view is all of a value, broadcast by the rule that operators follow, too.
bool is_broadcast(const shape& whole, const layout& view) {
  if (broadcast(whole, view.dims) != view.dims) return false;
  const auto expected = layout(whole).broadcast(view.dims);
  for (int i = 0; i < view.dims.rank(); ++i) {
    if (view.dims[i] != 1 && view.strides[i] != expected.strides[i]) return false;
  }
  return view.offset == 0;
}

}  // namespace

written_step::written_step(const program_step& of, const graph& program, graph_writer& to,
                           std::vector<onnx_value>& values)
    : step_(of), program_(program), to_(to), values_(values) {}

onnx_value written_step::in(std::size_t i) const {
  const auto& one = step_.inputs[i];
  if (one.value < 0) return to_.number(number(i));
  const auto& whole = values_[static_cast<std::size_t>(one.value)];
  return one.part ? add_view(to_, whole, one.part->layout) : whole;
}

onnx_value written_step::in_once(std::size_t i) const {
  const auto& one = step_.inputs[i];
  if (one.value < 0 || !one.part) return in(i);
  const auto& whole = values_[static_cast<std::size_t>(one.value)];
  if (is_broadcast(whole.dims, one.part->layout)) return whole;
  return add_view(to_, whole, once(one.part->layout));
}

void written_step::out(const onnx_value& x) const {
  values_[static_cast<std::size_t>(step_.outputs[0])] =
      to_.expand(to_.cast(x, result().element), result().dims);
}

void written_step::refuse(const std::string& why) const {
  to_.fail(std::string(step_.op->name) + call_site_text(step_.call_site) + ": " + why);
}

}  // namespace troupe
