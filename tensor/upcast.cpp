// SPDX-License-Identifier: MIT
#include "troupe/tensor/upcast.hpp"

#include <bit>
#include <vector>

#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/cast.hpp"

namespace troupe {

namespace {

value_ref new_value(const task& of, dtype element, const shape& dims) {
  value_ref out(new value(element, of.device, dims));
  out->engine = of.engine;
  return out;
}

/// Returns a task that converts `in` to `out`, with the call site of `of`.
task_ptr conversion(const task& of, operand in, value_ref out) {
  auto t = std::make_unique<task>(astype_operation, of.device, of.call_site);
  t->inputs.emplace_back(std::move(in));
  t->add_output(std::move(out));
  return t;
}

std::uint64_t upcast_number(const operand& number) noexcept {
  const auto bits = static_cast<std::uint16_t>(number.immediate);
  const float x = number.element == float16 ? float{std::bit_cast<float16_t>(bits)}
                                            : float{std::bit_cast<bfloat16_t>(bits)};
  return std::bit_cast<std::uint32_t>(x);
}

/// Returns an input converted by a task that is added to `before`. The whole value is converted and
/// viewed as before, unless the view has fewer elements.
operand upcast(const task& t, const operand& in, std::vector<task_ptr>& before) {
  operand out;
  out.element = float32;
  out.written = in.element;
  if (!in.source) {
    out.immediate = upcast_number(in);
    return out;
  }
  const bool whole = !in.part || in.view().dims.size() >= in.source->dims().size();
  out.source = new_value(t, float32, whole ? in.source->dims() : in.view().dims);
  operand original;
  original.source = in.source;
  original.element = in.element;
  (whole ? out : original).part = in.part;
  before.push_back(conversion(t, std::move(original), out.source));
  return out;
}

bool has_narrow_operand(const task& t) noexcept {
  for (const auto& in : t.inputs) {
    if (is_narrow(in.element)) return true;
  }
  for (const auto& out : t.outputs) {
    if (is_narrow(out->element)) return true;
  }
  return false;
}

}  // namespace

bool needs_upcast(const engine& e, const task& t) {
  if (t.op->narrow == narrow_floats::taken || !has_narrow_operand(t)) return false;
  if (t.op->narrow == narrow_floats::converted) return true;
  return !t.op->kernel(t, e.kernels_of(t.device, t.op->name, t.call_site));
}

void submit_upcast(engine& e, task_ptr t) {
  t->engine = e.id();
  std::vector<task_ptr> before, behind;
  for (std::size_t i = 0; i < t->inputs.size(); ++i) {
    auto& in = t->inputs[i];
    if (is_narrow(in.element)) in = upcast(*t, in, before);
  }
  const auto outputs = std::move(t->outputs);
  t->output_bytes = 0;
  for (const auto& out : outputs) {
    if (!is_narrow(out->element)) {
      t->add_output(out);
      continue;
    }
    const auto wide = new_value(*t, float32, out->dims());
    operand result;
    result.source = wide;
    result.element = float32;
    behind.push_back(conversion(*t, std::move(result), out));
    t->add_output(wide);
  }
  for (auto& one : before) submit(e, std::move(one));
  submit(e, std::move(t));
  for (auto& one : behind) submit(e, std::move(one));
}

}  // namespace troupe
