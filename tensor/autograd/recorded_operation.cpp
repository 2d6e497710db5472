// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/recorded_operation.hpp"

#include <cstring>
#include <utility>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/tangents.hpp"
#include "troupe/tensor/launch.hpp"
#include "troupe/tensor/ops/apply.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"

namespace troupe {

namespace {

/// Returns the immediate number given for an input, as a tensor of the input's type.
tensor number(const task& t, const operand& in) {
  const use_engine same(t.outputs[0]->engine);
  const auto given = [&]() -> scalar {
    return visit(in.element, [&]<class T>(T x) -> scalar {
      std::memcpy(&x, &in.immediate, sizeof x);
      if constexpr (is_floating(dtype_of<T>()) && sizeof x == 2) return float{x};
      else return x;
    });
  };
  const auto one = full({}, given(), {.dtype = in.element, .device = t.device}, t.call_site);
  return one.viewed(one.view().broadcast(t.outputs[0]->dims()));
}

}  // namespace

recorded_operation::recorded_operation(const task& t) noexcept
    : op_(t.op),
      call_site_(detail::on_behalf_of::line() ? *detail::on_behalf_of::line() : t.call_site) {}

void recorded_operation::add_source(const task& t, const gradient_node_ref& from) {
  const auto input = t.inputs.size() - 1;
  const auto& v = *t.inputs[input].source;
  sources_.add(input, from, {}, v.dims(), v.element);
}

reference<const recorded_operation::barrier> recorded_operation::barrier_of(const task& t) const {
  const auto to = t.outputs[0]->element;
  const bool own = op_->flows && !op_->flows(t.inputs[0].element, to);
  if (!own && (to == boolean || (is_inexact(to) && op_->gradient != differentiability::none)))
    return {};
  // The first barrier is told: integers and their floats come from what it read.
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const auto* const from = sources_.from(i).get();
    if (!from->bars_gradients()) continue;
    const auto* const one = dynamic_cast<const recorded_operation*>(from);
    if (one) return one->barrier_;
    // Computing begins anew at a number that another tensor stands for.
    if (is_inexact(t.inputs[sources_.input(i)].element)) continue;
    return reference<const barrier>(new barrier(op_->name, call_site_));
  }
  if (own) return reference<const barrier>(new barrier(op_->name, call_site_));
  return {};
}

bool recorded_operation::complete(const task& t) {
  barrier_ = barrier_of(t);
  if (barrier_) return true;
  if (op_->gradient == differentiability::none) {
    recording::note({op_->name, call_site_});
    return false;
  }
  if (!is_inexact(t.outputs[0]->element)) return false;
  if (op_->gradient == differentiability::unknown) return true;
  unsigned needed = op_->arriving.needs;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    sources_.set_part(i, t.inputs[sources_.input(i)].part);
    needed |= rule_of(sources_.input(i)).needs;
  }
  attributes_ = t.attributes.copy();
  for (std::size_t i = 0; i < t.inputs.size(); ++i) {
    const auto& in = t.inputs[i];
    const bool array = static_cast<bool>(in.source);
    types_.emplace_back(tensor_type{array ? in.view().dims : t.outputs[0]->dims(), in.element,
                                    array ? in.source->device : t.device});
    auto& kept = inputs_.emplace_back();
    if (i >= 7 || (needed >> i & 1) == 0) continue;
    if (!array) kept = number(t, in);
    else if (in.part) kept = tensor(in.source).viewed(in.part->layout);
    else kept = tensor(in.source);
  }
  const auto& made = *t.outputs[0];
  result_type_ = {made.dims(), made.element, made.device};
  if ((needed & gradient_rule::needs_result) != 0) result_ = tensor(t.outputs[0]);
  return true;
}

void recorded_operation::check_possible(const char* pass, caller where) const {
  if (barrier_)
    throw error(std::string(pass) + ": " + std::string(barrier_->name) +
                    call_site_text(barrier_->call_site) +
                    " has no gradient; give it what detach() returns if that is a constant",
                where);
  const auto name = std::string(op_->name) + call_site_text(call_site_);
  if (op_->gradient == differentiability::unknown)
    throw error(std::string(pass) + ": " + name + " has no gradient", where);
  if (spent_)
    throw error(std::string(pass) + ": what " + name +
                    " kept is gone since an earlier backward pass, which can be told to keep it",
                where);
}

small_vector<tensor, 2> recorded_operation::attached_inputs() const {
  small_vector<tensor, 2> inputs;
  for (const auto& x : inputs_) inputs.emplace_back(x);
  sources_.attach({inputs.begin(), inputs.size()});
  return inputs;
}

tensor recorded_operation::attached_result() {
  return result_.defined() ? result_.with_node(gradient_node_ref(this)) : tensor();
}

void recorded_operation::pass_on(const tensor& arriving, gradient_flow& flow) {
  check_possible("backward", flow.where());
  const auto inputs = attached_inputs();
  const auto result = attached_result();
  if (!flow.keeps()) {
    spent_ = true;
    inputs_.clear();
    result_ = {};
  }
  if (op_ == &transfer_operation) flow.leaves_device();
  const detail::on_behalf_of user(call_site_);
  std::vector<std::size_t> late;
  bool leads_on = false;
  tensor for_all;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const auto input = sources_.input(i);
    if (!rule_of(input).function || !flow.wants(sources_.from(i))) continue;
    if (!for_all.defined())
      for_all = op_->arriving.function
                    ? op_->arriving.function({inputs, result, arriving, attributes_, types_, input})
                    : arriving;
    if (flow.may_wait(sources_.from(i))) {
      late.push_back(i);
    } else {
      pass_share(i, inputs, result, for_all, flow);
      leads_on = true;
    }
  }
  if (late.empty()) return;
  if (!leads_on) {
    for (const auto i : late) pass_share(i, inputs, result, for_all, flow);
    return;
  }
  std::vector<gradient_node_ref> to;
  for (const auto i : late) to.push_back(sources_.from(i));
  flow.add_later(std::move(to),
                 [self = gradient_node_ref(this), this, late = std::move(late),
                  inputs = std::vector(inputs.begin(), inputs.end()), result, for_all, &flow] {
                   const detail::on_behalf_of same_user(call_site_);
                   for (const auto i : late) pass_share(i, inputs, result, for_all, flow);
                 });
}

void recorded_operation::pass_share(std::size_t source, std::span<const tensor> inputs,
                                    const tensor& result, const tensor& arriving,
                                    gradient_flow& flow) const {
  const auto input = sources_.input(source);
  sources_.pass_on(source,
                   rule_of(input).function({inputs, result, arriving, attributes_, types_, input}),
                   flow);
}

tensor recorded_operation::tangent(tangent_flow& flow) {
  if (barrier_) check_possible("jvp", flow.where());
  std::vector<tensor> changes(sources_.size());
  bool any = false;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (op_->gradient == differentiability::available && !rule_of(sources_.input(i)).function)
      continue;
    changes[i] = sources_.tangent(i, flow);
    any = any || changes[i].defined();
  }
  if (!any) return {};
  check_possible("jvp", flow.where());
  const detail::on_behalf_of user(call_site_);
  if (op_->linear == linearity::together && keeps_other_inputs()) return linear_tangent(changes);
  tensor total;
  const auto add_share = [&](const tensor& share) {
    if (share.defined()) total = total.defined() ? add(total, share) : share;
  };
  const bool rows = is_elementwise(*op_);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!changes[i].defined() || !rule_of(sources_.input(i)).function) continue;
    if (rows) add_share(elementwise_share(i, changes[i]));
    else if (op_->linear == linearity::each && sources_.input(i) < 2)
      add_share(linear_share(sources_.input(i), changes[i]));
    else continue;
    changes[i] = {};
  }
  for (const auto& left : changes) {
    if (rows || !left.defined()) continue;
    add_share(transposed(changes, flow));
    break;
  }
  return total;
}

bool recorded_operation::keeps_other_inputs() const noexcept {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!rule_of(i).function && !inputs_[i].defined()) return false;
  }
  return true;
}

tensor recorded_operation::elementwise_share(std::size_t source, const tensor& change) {
  const auto input = sources_.input(source);
  const auto inputs = attached_inputs();
  const auto result = attached_result();
  const auto element = result_type_.element;
  const auto arriving = astype(change, is_complex(change.dtype()) ? complex_of(element) : element);
  const auto share =
      rule_of(input).function({inputs, result, arriving, attributes_, types_, input});
  return astype(is_complex(element) ? share : real(share), element);
}

tensor recorded_operation::repeat(std::span<const tensor> inputs) const {
  std::vector<const tensor*> pointers;
  for (const auto& x : inputs) pointers.push_back(&x);
  // The devices of a transfer's input and output differ.
  auto& e = common_home(op_->name, pointers, call_site_).runtime;
  task_ptr t(new task(*op_, result_type_.device, call_site_));
  t->attributes = attributes_.copy();
  for (const auto& x : inputs) add_input(*t, x);
  return launch(e, std::move(t), result_type_);
}

namespace {

tensor zeros_of(const tensor_type& type) {
  return zeros(type.dims, {.dtype = type.element, .device = type.device});
}

}  // namespace

tensor recorded_operation::linear_share(std::size_t input, const tensor& change) const {
  auto inputs = attached_inputs();
  inputs[input] = change;
  for (std::size_t i = 2; i < inputs.size(); ++i) inputs[i] = zeros_of(types_[i]);
  return repeat(inputs);
}

tensor recorded_operation::linear_tangent(std::span<const tensor> changes) const {
  auto inputs = attached_inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (rule_of(i).function) inputs[i] = {};
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (rule_of(sources_.input(i)).function) inputs[sources_.input(i)] = changes[i];
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined()) inputs[i] = zeros_of(types_[i]);
  }
  return repeat(inputs);
}

tensor recorded_operation::transposed(std::span<const tensor> changes, const tangent_flow& flow) {
  tensor arriving;
  std::vector<tensor> given(changes.size());
  {
    const recording on;
    small_vector<tensor, 2> inputs;
    for (const auto& x : inputs_) inputs.emplace_back(x);
    auto result = result_;
    if (flow.recorded()) {
      inputs = attached_inputs();
      result = attached_result();
    }
    arriving = detail::arriving_like(result_type_, call_site_);
    tensor for_all;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const auto input = sources_.input(i);
      const auto& rule = rule_of(input);
      if (!changes[i].defined() || !rule.function) continue;
      if (!for_all.defined())
        for_all =
            op_->arriving.function
                ? op_->arriving.function({inputs, result, arriving, attributes_, types_, input})
                : arriving;
      given[i] = rule.function({inputs, result, for_all, attributes_, types_, input});
    }
  }
  return detail::transposed(given, arriving, changes, flow.recorded(), call_site_);
}

void record_input(task& t, const gradient_node_ref& from) {
  if (t.op->gradient == differentiability::none && !from->bars_gradients())
    return recording::note({t.op->name, t.call_site});
  if (!t.node) t.node = gradient_node_ref(new recorded_operation(t));
  static_cast<recorded_operation&>(*t.node).add_source(t, from);
}

gradient_node_ref record_output(task& t) {
  auto made = std::exchange(t.node, nullptr);
  return static_cast<recorded_operation&>(*made).complete(t) ? made : nullptr;
}

}  // namespace troupe
