// SPDX-License-Identifier: MIT
#include "troupe/tensor/program/capture.hpp"

#include <utility>

#include "troupe/tensor/autograd/collector.hpp"
#include "troupe/tensor/batching/batching.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tensor/program/place.hpp"

namespace troupe {

/// Collector of a variable's gradients in a captured function. What was collected before is not
/// known, so the function has to clear it first.
class noted_gradients final : public collector {
 public:
  void pass_on(const tensor& arriving, gradient_flow& flow) override {
    if (flow.collects()) check_cleared("backward", flow.where());
    collector::pass_on(arriving, flow);
  }
  tensor sum() const override {
    check_cleared("grad", {});
    return collector::sum();
  }
  void reset() override {
    cleared_ = true;
    collector::reset();
  }

  bool cleared() const noexcept { return cleared_; }

 private:
  void check_cleared(const char* what, caller where) const {
    if (!cleared_)
      throw error(std::string(what) +
                      ": a compiled function has to clear a variable's gradients before it uses "
                      "them: call zero_grad, or minimise, of an optimiser that has all variables, "
                      "or freeze the others",
                  where.line() == 0 && capture::active() ? capture::active()->where() : where);
  }

  bool cleared_ = false;
};

namespace {

/// Gradient node of an argument with `attach_grad`: what the function adds to its gradients would
/// be lost.
class argument_gradients final : public collector {
 public:
  void pass_on(const tensor& arriving, gradient_flow& flow) override {
    if (flow.collects())
      throw error(
          "backward: a compiled function does not add to the gradients of its arguments: give it "
          "x.detach(), or compute them with grad",
          flow.where());
    collector::pass_on(arriving, flow);
  }
};

step_input input_of(const operand& in, int number) {
  return {number, in.part, in.immediate, in.element, in.written};
}

}  // namespace

capture::capture(const engine& of, caller where)
    : engine(of.devices(), found::by_choice), original_(of), where_(where) {}

capture::~capture() {
  retire();
  for (const auto& one : tasks_) one.made->outputs.clear();  // they fail below
  failure_ptr why;
  try {
    auto f = std::make_shared<failure>();
    f->text =
        "compile: a tensor has left the function while it was captured; results are what it "
        "returns" +
        call_site_text(where_);
    f->call_site = where_;
    why = std::move(f);
  } catch (const std::bad_alloc&) { why = failure_without_memory(); }
  const auto end = [&](const value_ref& v) {
    if (v->pending()) v->fail(failure_ptr(why));
  };
  for (const auto& v : arguments_) end(v);
  for (const auto& p : places_) end(p.placeholder);
  for (const auto& [v, outside] : constants_) end(v);
  for (const auto& v : computed_) end(v);
}

tensor capture::placeholder(const tensor& like) {
  value_ref v(new value(like.source()->type()));
  v->engine = id();
  tensor out(std::move(v));
  return like.part() ? out.viewed(like.part()->layout) : out;
}

tensor capture::argument(const tensor& x) {
  auto out = placeholder(x);
  arguments_.push_back(out.source());
  return x.node() ? out.with_node(gradient_node_ref(new argument_gradients)) : out;
}

void capture::note_read_outside(const char* what, caller where) const {
  troupe::detail::arrays_were_read = true;
  if (troupe::detail::notices_other_arrays::active()) return;
  throw error(std::string(what) +
                  ": an array from outside the function that is captured, where numbers of it "
                  "would stay as they are now: read them before, or give it as an argument",
              where.line() > 0 ? where : where_);
}

tensor capture::constant(const tensor& x, caller where) {
  const tensor* const some[] = {&x};
  if (x.source()->engine == id() || batching::owner(some)) return x;
  if (x.source()->engine != original_.id())
    throw error("constant: a tensor of another runtime than the arguments", where);
  for (const auto& [mine, outside] : constants_) {
    if (outside == x.source()) return x.part() ? tensor(mine).viewed(x.view()) : tensor(mine);
  }
  auto out = placeholder(x);
  constants_.emplace_back(out.source(), x.source());
  return out;
}

const tensor& capture::read(const std::shared_ptr<place>& from, bool gradients) {
  for (auto& one : places_) {
    if (one.outside == from) return one.now;
  }
  if (from->read().source()->engine != original_.id())
    throw error("compile: a variable of another runtime than the arguments", where_);
  auto& one = places_.emplace_back();
  one.outside = from;
  one.now = placeholder(from->read());
  one.placeholder = one.now.source();
  if (!gradients) return one.now;
  one.gradients = reference<noted_gradients>(new noted_gradients);
  return one.now = one.now.with_node(gradient_node_ref(one.gradients.get()));
}

void capture::write(const std::shared_ptr<place>& to, const tensor& x, caller where) {
  const auto& before = read(to, false);
  if (x.type(where) != before.type())
    throw error("assign: " + to_string(x.type()) + " on " + to_string(x.device()) + " to " +
                    to_string(before.type()) + " on " + to_string(before.device()),
                where);
  for (auto& one : places_) {
    if (one.outside != to) continue;
    one.now = (x.part() ? copy(x.detach(), where) : x.detach()).with_node(before.node());
    one.written = true;
  }
}

void capture::submit(task_ptr t) {
  if (t->op->users_own)
    throw error(std::string(t->op->name) +
                    ": not possible in a compiled function, which would not "
                    "call it again",
                t->call_site);
  for (const auto& in : t->inputs) {
    if (in.source && in.source->engine != id()) refuse_from_outside(t->op->name, t->call_site);
  }
  for (const auto& out : t->outputs) computed_.push_back(out);
  auto& noted = tasks_.emplace_back(noted_task{std::move(t), {}, recomputed_});
  if (noted.made->op != renewed_next_.first) return;  // conversions may come before it
  noted.renewed = renewed_next_.second;
  renewed_next_.first = nullptr;
}

std::size_t capture::add_source(parameter_source source) {
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

bool capture::wait(const value_ref&, const wait_limit&) {
  throw error("wait: not known while the function is captured", where_);
}

void capture::wait_all() {
  throw error("wait_all: not possible while a function is captured", where_);
}

void capture::cancel_all() {
  throw error("cancel_all: not possible while a function is captured", where_);
}

trace_log capture::trace(ticks) { return {}; }

int capture::number_of(const value_ref& v, std::string_view what, caller where) {
  if (const auto known = numbers_.find(v.get()); known != numbers_.end()) return known->second;
  if (v->engine == original_.id()) refuse_from_outside(what, where);
  throw error(std::string(what) + ": a tensor of another runtime than the arguments", where);
}

program_result capture::result_of(const tensor& x, std::string_view what) {
  if (!x.defined()) throw error(std::string(what) + ": a result names no array", where_);
  return {number_of(x.source(), what, where_), x.part()};
}

graph capture::finish(std::span<const tensor> results) {
  graph out;
  const auto add = [&](const value_ref& v) {
    numbers_.emplace(v.get(), static_cast<int>(out.types.size()));
    out.types.push_back(v->type());
  };
  // Data that were brought from outside are ready, and nothing has computed them.
  const auto add_brought = [&](const value_ref& v) {
    if (!v || v->engine != id() || v->pending()) return;
    for (const auto& [mine, outside] : constants_) {
      if (mine == v) return;
    }
    v->engine = original_.id();
    constants_.emplace_back(v, v);
  };
  for (const auto& one : tasks_) {
    for (const auto& in : one.made->inputs) add_brought(in.source);
  }
  for (const auto& x : results) add_brought(x.source());
  for (const auto& p : places_) add_brought(p.now.source());

  out.arguments = arguments_.size();
  for (const auto& v : arguments_) add(v);
  for (const auto& p : places_) out.places.push_back(p.outside), add(p.placeholder);
  for (const auto& [mine, outside] : constants_) out.constants.push_back(outside), add(mine);
  for (const auto& v : computed_) add(v);

  for (auto& [t, renewed, recomputed] : tasks_) {
    program_step s{.op = t->op,
                   .device = t->device,
                   .call_site = t->call_site,
                   .kernel = t->kernel,
                   .cost = t->cost,
                   .estimate = t->estimate,
                   .given = std::move(t->attributes),
                   .renewed = renewed,
                   .recomputed = recomputed};
    for (const auto& in : t->inputs)
      s.inputs.push_back(
          input_of(in, in.source ? number_of(in.source, s.op->name, s.call_site) : -1));
    std::size_t bytes = 0;
    for (const auto& v : t->outputs) {
      if (!v->fits_inline()) bytes += v->bytes();
      s.outputs.push_back(number_of(v, s.op->name, s.call_site));
    }
    s.scratch = t->output_bytes - bytes;
    out.steps.push_back(std::move(s));
  }
  for (const auto& x : results) out.results.push_back(result_of(x, "compile"));
  for (const auto& p : places_) {
    if (p.written) out.writes.emplace_back(p.outside, result_of(p.now, "assign"));
    if (!p.gradients || !p.gradients->cleared()) continue;
    std::optional<program_result> sum;
    if (const auto& x = p.gradients->sum(); x.defined()) sum = result_of(x, "backward");
    out.gradients.emplace_back(p.outside, sum);
  }
  out.sources = std::move(sources_);
  out.random_numbers = random_state().counter;
  return out;
}

tensor constant(const tensor& x, caller where) {
  if (!x.defined()) throw error("constant: the tensor names no array yet", where);
  auto* const into = capture::active();
  return into ? into->constant(x, where) : x;
}

}  // namespace troupe
