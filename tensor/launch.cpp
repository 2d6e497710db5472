// SPDX-License-Identifier: MIT
#include "troupe/tensor/launch.hpp"

#include <algorithm>

namespace troupe {

namespace {

// What a single lane does in a nanosecond, roughly: enough to tell small tasks from large ones.
constexpr double bytes_per_nanosecond = 16;
constexpr double flops_per_nanosecond = 40;
constexpr double nanoseconds_per_task = 150;

work usual_cost(const task& t) {
  work w;
  for (const auto& in : t.inputs)
    if (in.source)
      w.bytes += static_cast<double>(std::min(in.view().dims.size(), in.source->type.dims.size())) *
                 static_cast<double>(size_of(in.element));
  for (const auto& out : t.outputs) {
    const auto n = static_cast<double>(out->type.dims.size());
    w.bytes += n * static_cast<double>(size_of(out->type.element));
    w.flops += n * static_cast<double>(t.op->flops_per_element);
  }
  return w;
}

value_ref add_output(const engine& e, task& t, const tensor_type& type) {
  value_ref out(new value(type));
  out->engine = e.id();
  t.outputs.emplace_back(out);
  return out;
}

void send(engine& e, task_ptr t) {
  if (!t->op->transfer) {
    t->kernel = t->op->cpu(*t);
    if (!t->kernel) {
      std::string text = std::string(t->op->name) + ": not possible for";
      for (const auto& in : t->inputs) text += (&in == t->inputs.begin() ? " " : ", ") + std::string(name(in.element));
      if (t->inputs.empty()) text += " " + to_string(t->outputs[0]->type);
      const auto where = t->where;
      t->outputs.clear();
      throw error(text, where);
    }
  }
  t->cost = t->op->cost ? t->op->cost(*t) : usual_cost(*t);
  if (t->estimate == 0)
    t->estimate = static_cast<float>(
        nanoseconds_per_task + std::max(t->cost.bytes / bytes_per_nanosecond, t->cost.flops / flops_per_nanosecond));
  e.submit(std::move(t));
}

}  // namespace

void add_input(task& t, const tensor& x) {
  auto& in = t.inputs.emplace_back();
  in.source = x.source();
  in.part = x.part();
  in.element = x.source()->type.element;
}

void add_input(task& t, const tensor& x, const shape& to) {
  add_input(t, x);
  if (x.shape() == to) return;
  t.inputs[t.inputs.size() - 1].part = view_ref(new shared_view(x.view().broadcast(to)));
}

void add_input(task& t, dtype element, std::uint64_t bytes) {
  auto& in = t.inputs.emplace_back();
  in.element = element;
  in.immediate = bytes;
}

tensor launch(engine& e, task_ptr t, const tensor_type& output) {
  auto out = add_output(e, *t, output);
  send(e, std::move(t));
  return tensor(std::move(out));
}

std::vector<tensor> launch(engine& e, task_ptr t, std::span<const tensor_type> outputs) {
  std::vector<tensor> out;
  for (const auto& type : outputs) out.emplace_back(add_output(e, *t, type));
  send(e, std::move(t));
  return out;
}

}  // namespace troupe
