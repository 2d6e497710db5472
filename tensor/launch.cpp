// SPDX-License-Identifier: MIT
#include "troupe/tensor/launch.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/priority.hpp"
#include "troupe/tensor/autograd/recorded_operation.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/program/task_log.hpp"
#include "troupe/tensor/scalar.hpp"

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

std::uint64_t converted_number(const operand& number, dtype to) noexcept {
  return visit(number.element, [&]<class T>(T x) {
    std::memcpy(&x, &number.immediate, sizeof x);
    if constexpr (is_narrow_float(dtype_of<T>())) return scalar(float{x}).bytes(to);
    else return scalar(x).bytes(to);
  });
}

/// Returns an input converted by a task that is added to `before`. The whole value is converted and
/// viewed as before, unless the view has fewer elements.
operand converted(const task& t, const operand& in, dtype to, std::vector<task_ptr>& before) {
  operand out;
  out.element = to;
  out.written = in.element;
  if (!in.source) {
    out.immediate = converted_number(in, to);
    return out;
  }
  const bool whole = !in.part || in.view().dims.size() >= in.source->dims().size();
  out.source = new_value(t, to, whole ? in.source->dims() : in.view().dims);
  operand original;
  original.source = in.source;
  original.element = in.element;
  (whole ? out : original).part = in.part;
  before.push_back(conversion(t, std::move(original), out.source));
  return out;
}

template <bool (*Is)(dtype) noexcept>
bool has_operand(const task& t) noexcept {
  for (const auto& in : t.inputs) {
    if (Is(in.element)) return true;
  }
  for (const auto& out : t.outputs) {
    if (Is(out->element)) return true;
  }
  return false;
}

/// Returns true if a task has operands of narrow dtypes that its operation's kernels do not take.
bool needs_upcast(const engine& e, const task& t) {
  if (t.op->narrow == narrow_dtypes::taken || !has_operand<is_narrow>(t)) return false;
  if (t.op->narrow == narrow_dtypes::converted) return true;
  if (!t.device.traits().computes_on_cores && has_operand<is_narrow_integer>(t)) return true;
  return !t.op->kernel(t, e.kernels_of(t.device, t.op->name, t.call_site));
}

/// Returns true for indices of a dtype that kernels do not take.
bool is_odd_index(const task& t, std::size_t input) noexcept {
  const auto element = t.inputs[input].element;
  return (t.op->indices >> input & 1) != 0 && element != int32 && element != int64;
}

bool has_odd_index(const task& t) noexcept {
  for (std::size_t i = 0; i < t.inputs.size() && t.op->indices != 0; ++i) {
    if (is_odd_index(t, i)) return true;
  }
  return false;
}

/// Returns the dtype that a task computes in which cannot do so in its narrow dtypes. Sums of
/// unsigned integers are unsigned.
dtype common_wide_dtype(const task& t) noexcept {
  auto all = boolean;
  for (std::size_t i = 0; i < t.inputs.size(); ++i) {
    if ((t.op->indices >> i & 1) == 0) all = promote(all, t.inputs[i].element);
  }
  const auto is_natural = [](const auto& out) { return out->element == uint64; };
  return std::ranges::any_of(t.outputs, is_natural) && is_unsigned(all) ? uint64 : computed(all);
}

/// Adds tasks that convert the inputs of a task to what its kernels take.
void convert_inputs(task& t, bool widen, std::vector<task_ptr>& before) {
  const auto wide = common_wide_dtype(t);
  for (std::size_t i = 0; i < t.inputs.size(); ++i) {
    auto& in = t.inputs[i];
    if (is_odd_index(t, i)) in = converted(t, in, int64, before);
    else if (widen && is_narrow(in.element)) in = converted(t, in, wide, before);
  }
}

/// Adds tasks that convert what a task computes in wider dtypes to its outputs.
void convert_outputs(task& t, std::vector<task_ptr>& behind) {
  const auto outputs = std::move(t.outputs);
  t.output_bytes = 0;
  for (const auto& out : outputs) {
    if (!is_narrow(out->element)) {
      t.add_output(out);
      continue;
    }
    const auto wide = new_value(t, computed(out->element), out->dims());
    operand result;
    result.source = wide;
    result.element = wide->element;
    behind.push_back(conversion(t, std::move(result), out));
    t.add_output(wide);
  }
}

/// Submits a task whose kernels do not take its dtypes: tasks before it convert the inputs and, if
/// it runs in wider dtypes, tasks after it convert the results.
void submit_converted(engine& e, task_ptr t, bool widen) {
  t->engine = e.id();
  std::vector<task_ptr> before, behind;
  convert_inputs(*t, widen, before);
  if (widen) convert_outputs(*t, behind);
  for (auto& one : before) submit(e, std::move(one));
  submit(e, std::move(t));
  for (auto& one : behind) submit(e, std::move(one));
}

float estimate(const task& t) noexcept {
  const auto& pace = t.device.traits();
  return static_cast<float>(pace.nanoseconds_per_task +
                            pace.nanoseconds_for(t.cost.bytes, t.cost.flops));
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

[[noreturn, gnu::cold, gnu::noinline]] void refuse_uncountable(const task& t, const shape& dims) {
  throw error(
      std::string(t.op->name) + ": " + to_string(dims) + " has more elements than can be counted",
      t.call_site);
}

void check_countable(const task& t, const shape& dims) {
  if (!dims.countable()) refuse_uncountable(t, dims);
}

value_ref add_output(const engine& e, task& t, const shape& dims, dtype element, device place) {
  check_countable(t, dims);
  value_ref out(new value(element, place, dims));
  out->engine = e.id();
  t.add_output(out.twin());
  return out;
}

// Bytes that a task moves below which its scratch is not worth counting.
constexpr double worth_counting = 64 * 1024;

/// True if a kernel can be run in the way in which a device computes.
bool runs_on(const kernel& k, device d) noexcept {
  return d.traits().computes_on_cores ? k.run != nullptr : k.launch != nullptr;
}

bool find_kernel(const engine& e, task& t) {
  t.kernel = t.op->kernel(t, e.kernels_of(t.device, t.op->name, t.call_site));
  return t.kernel && runs_on(*t.kernel, t.device);
}

/// Finds the kernel of most tasks: one for cores that takes the operands as they are. Returns false
/// for others.
bool find_usual_kernel(const engine& e, task& t) {
  return t.device.traits().computes_on_cores && !t.op->transfer && !has_odd_index(t) &&
         (t.op->narrow != narrow_dtypes::converted || !has_operand<is_narrow>(t)) &&
         find_kernel(e, t);
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
  if (const auto* line = detail::on_behalf_of::line()) t->call_site = *line;
  if (batching::active()) {
    if (auto* const all = batching::of(e)) return all->submit(std::move(t));
    batching::forget_notes(*t);
  }
  if (!find_usual_kernel(e, *t)) {
    const bool widen = needs_upcast(e, *t);
    if (widen || has_odd_index(*t)) return submit_converted(e, std::move(t), widen);
    if (!t->op->transfer && !find_kernel(e, *t)) refuse(*t);
  }
  t->engine = e.id();
  t->budget = budget_scope::grant_for(t->device);
  t->priority = with_priority::current();
  t->cost = t->op->cost ? t->op->cost(*t) : usual_cost(*t);
  if (t->estimate == 0) t->estimate = estimate(*t);
  if (t->cost.bytes >= worth_counting && t->device.traits().synchronous)
    t->output_bytes += scratch_of(*t);
  e.mark(*t);
  task_log::note(*t);
  e.submit(std::move(t));
}

void add_input(task& t, const tensor& x) {
  auto& in = t.inputs.emplace_back();
  in.source = x.source();
  in.part = x.part();
  in.element = x.source()->element;
  batching::note(t, t.inputs.size() - 1, x.node());
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
                     is_inexact(type.element) ? made : nullptr);
  return out;
}

}  // namespace troupe
