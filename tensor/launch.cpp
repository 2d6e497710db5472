// SPDX-License-Identifier: MIT
#include "troupe/tensor/launch.hpp"

#include <algorithm>

#include "troupe/tensor/autograd/recorded_operation.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/upcast.hpp"

namespace troupe {

namespace {

/// Rough throughput of a single lane per nanosecond, and overhead of a task: enough to tell small
/// tasks from large ones.
struct pace {
  double bytes, flops, nanoseconds_per_task;
};
constexpr pace cpu_pace{16, 40, 150}, gpu_pace{2'000, 50'000, 2'000};

float estimate(const task& t) noexcept {
  const auto& p = t.device.kind == device_kind::gpu ? gpu_pace : cpu_pace;
  return static_cast<float>(p.nanoseconds_per_task +
                            std::max(t.cost.bytes / p.bytes, t.cost.flops / p.flops));
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

bool find_kernel(const engine& e, task& t) {
  if (t.device.kind == device_kind::gpu) {
    const auto& from = e.at(t.device, t.op->name, t.call_site).kernels();
    if (t.op->gpu) t.gpu = t.op->gpu(t, from);
    return t.gpu != nullptr;
  }
  t.kernel = t.op->cpu(t);
  return t.kernel != nullptr;
}

/// Throws the error that there is no kernel for these dtypes.
[[noreturn, gnu::cold]] void refuse(task& t) {
  std::string text(t.op->name);
  text += t.device.kind == device_kind::gpu && !t.op->gpu ? ": not possible on a GPU for "
                                                          : ": not possible for ";
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
  if (needs_upcast(*t)) return submit_upcast(e, std::move(t));
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
