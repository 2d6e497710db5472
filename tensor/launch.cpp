// SPDX-License-Identifier: MIT
#include "troupe/tensor/launch.hpp"

#include <algorithm>

#include "troupe/tensor/autograd/recorded_operation.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/upcast.hpp"

namespace troupe {

namespace {

float estimate(const task& t) noexcept {
  const auto& pace = t.device.traits();
  return static_cast<float>(
      pace.nanoseconds_per_task +
      std::max(t.cost.bytes / pace.bytes_per_nanosecond, t.cost.flops / pace.flops_per_nanosecond));
}

work usual_cost(const task& t) {
  work w;
  for (const auto& in : t.inputs) {
    if (!in.source) continue;
    auto n = in.source->dims().size();
    if (in.part) n = std::min(n, in.part->layout.dims.size());
    w.bytes += static_cast<double>(n) * static_cast<double>(size_of(in.element));
  }
  for (const auto& out : t.outputs) {
    const auto n = static_cast<double>(out->dims().size());
    w.bytes += n * static_cast<double>(size_of(out->element));
    w.flops += n * static_cast<double>(t.op->flops_per_element);
  }
  return w;
}

void check_countable(const task& t, const shape& dims) {
  if (!dims.countable())
    throw error(
        std::string(t.op->name) + ": " + to_string(dims) + " has more elements than can be counted",
        t.call_site);
}

value_ref add_output(const engine& e, task& t, const shape& dims, dtype element, device place) {
  check_countable(t, dims);
  value_ref out(new value(element, place, dims));
  out->engine = e.id();
  t.add_output(out);
  return out;
}

/// True if a kernel can be run in the way in which a device computes.
bool runs_on(const kernel& k, device d) noexcept {
  return d.traits().synchronous ? k.run != nullptr : k.launch != nullptr;
}

bool find_kernel(const engine& e, task& t) {
  t.kernel = t.op->kernel(t, e.kernels_of(t.device, t.op->name, t.call_site));
  return t.kernel && runs_on(*t.kernel, t.device);
}

/// Throws: there is no kernel for these dtypes, or only for other devices.
[[noreturn, gnu::cold]] void refuse(task& t) {
  std::string text(t.op->name);
  text += ": not possible ";
  if (t.kernel) text += "on " + to_string(t.device) + ' ';
  text += "for ";
  for (const auto& in : t.inputs) {
    if (&in != t.inputs.begin()) text += ", ";
    text += name(in.element);
  }
  if (t.inputs.empty()) text += to_string(t.outputs[0]->type());
  t.outputs.clear();
  throw error(text, t.call_site);
}

}  // namespace

void submit(engine& e, task_ptr t) {
  if (const auto* line = on_behalf_of::line()) t->call_site = *line;
  if (needs_upcast(e, *t)) return submit_upcast(e, std::move(t));
  if (!t->op->transfer && !find_kernel(e, *t)) refuse(*t);
  t->engine = e.id();
  t->budget = budget_scope::grant_for(t->device);
  t->cost = t->op->cost ? t->op->cost(*t) : usual_cost(*t);
  if (t->estimate == 0) t->estimate = estimate(*t);
  e.mark(*t);
  e.submit(std::move(t));
}

void add_input(task& t, const tensor& x) {
  auto& in = t.inputs.emplace_back();
  in.source = x.source();
  in.part = x.part();
  in.element = x.source()->element;
  if (x.node() && recording::active()) record_input(t, x.node());
}

void add_input(task& t, const tensor& x, const shape& to) {
  add_input(t, x);
  if (x.shape() == to) return;
  check_countable(t, to);
  t.inputs[t.inputs.size() - 1].part = view_ref(new shared_view(x.view().broadcast(to)));
}

void add_input(task& t, dtype element, std::uint64_t bytes) {
  auto& in = t.inputs.emplace_back();
  in.element = element;
  in.immediate = bytes;
}

tensor launch(engine& e, task_ptr t, const shape& dims, dtype element) {
  auto out = add_output(e, *t, dims, element, t->device);
  auto made = t->node ? record_output(*t) : nullptr;
  submit(e, std::move(t));
  return tensor(std::move(out), std::move(made));
}

tensor launch(engine& e, task_ptr t, const tensor_type& output) {
  return launch(e, std::move(t), output.dims, output.element);
}

std::vector<tensor> launch(engine& e, task_ptr t, std::span<const tensor_type> outputs) {
  auto out = add_outputs(e, *t, outputs);
  submit(e, std::move(t));
  return out;
}

std::vector<tensor> add_outputs(const engine& e, task& t, std::span<const tensor_type> outputs) {
  // Operations with any number of outputs have no gradient: their node only records that.
  const auto made = std::exchange(t.node, nullptr);
  std::vector<tensor> out;
  for (const auto& type : outputs)
    out.emplace_back(add_output(e, t, type.dims, type.element, t.device),
                     is_floating(type.element) ? made : nullptr);
  return out;
}

}  // namespace troupe
