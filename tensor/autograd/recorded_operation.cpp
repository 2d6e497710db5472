// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/recorded_operation.hpp"

#include <cstring>
#include <utility>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/creation.hpp"

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

void recorded_operation::add_source(const task& t, const gradient_node_ref& from) {
  const auto input = t.inputs.size() - 1;
  const auto& v = *t.inputs[input].source;
  sources_.add(input, from, {}, v.dims(), v.element);
}

void recorded_operation::complete(const task& t) {
  if (op_->gradient == differentiability::unknown) return;
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
  if ((needed & gradient_rule::needs_result) != 0) result_ = tensor(t.outputs[0]);
}

void recorded_operation::check_possible(gradient_flow& flow) const {
  if (op_->gradient == differentiability::unknown)
    throw error(
        "backward: " + std::string(op_->name) + call_site_text(call_site_) + " has no gradient",
        flow.where());
  if (spent_)
    throw error("backward: what " + std::string(op_->name) + call_site_text(call_site_) +
                    " kept is gone since an earlier backward pass, which can be told to keep it",
                flow.where());
}

void recorded_operation::pass_on(const tensor& arriving, gradient_flow& flow) {
  check_possible(flow);
  small_vector<tensor, 2> inputs;
  for (const auto& x : inputs_) inputs.emplace_back(x);
  sources_.attach({inputs.begin(), inputs.size()});
  const auto result = result_.defined() ? result_.with_node(gradient_node_ref(this)) : tensor();
  if (!flow.keeps()) {
    spent_ = true;
    inputs_.clear();
    result_ = {};
  }
  const detail::on_behalf_of user(call_site_);
  tensor for_all;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const auto input = sources_.input(i);
    const auto& rule = rule_of(input);
    if (!rule.function || !flow.wants(sources_.from(i))) continue;
    if (!for_all.defined())
      for_all = op_->arriving.function
                    ? op_->arriving.function({inputs, result, arriving, attributes_, types_, input})
                    : arriving;
    sources_.pass_on(i, rule.function({inputs, result, for_all, attributes_, types_, input}), flow);
  }
}

void record_input(task& t, const gradient_node_ref& from) {
  if (t.op->gradient == differentiability::none) return recording::note({t.op->name, t.call_site});
  if (!t.node) t.node = gradient_node_ref(new recorded_operation(t));
  static_cast<recorded_operation&>(*t.node).add_source(t, from);
}

gradient_node_ref record_output(task& t) {
  auto made = std::exchange(t.node, nullptr);
  if (!is_floating(t.outputs[0]->element)) return nullptr;
  static_cast<recorded_operation&>(*made).complete(t);
  return made;
}

}  // namespace troupe
