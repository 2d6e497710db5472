// SPDX-License-Identifier: MIT
#include "troupe/devices/made_once.hpp"
#include "troupe/onnx/element_rule.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tasks/layout.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/elementwise_types.hpp"

namespace troupe {

namespace {

const element_rules& all_element_rules() {
  static constinit made_once<const element_rules> all;
  return all.get([] {
    element_rules out;
    for (const auto& some : {arithmetic_element_rules(), comparison_element_rules(),
                             division_element_rules(), function_element_rules()})
      out.insert(some.begin(), some.end());
    return out;
  });
}

/// Returns the dtype that a step computes in: what its inputs promote to. Numbers beside tensors of
/// narrow dtypes have the dtype that is computed in, and do not count.
dtype computed_dtype(const written_step& s, elementwise_op op) {
  dtype tensors = boolean, all = boolean;
  for (std::size_t i = info(op).domain == elementwise_domain::selection ? 1 : 0; i < s.inputs();
       ++i) {
    all = promote(all, s.element(i));
    if (!s.is_number(i)) tensors = promote(tensors, s.element(i));
  }
  return checked_types(op, computed(tensors) == all ? tensors : all).compute;
}

void write_elementwise(const written_step& s) {
  const auto op = static_cast<elementwise_op>(&s.op() - elementwise_records);
  const auto& rule = all_element_rules().at(op);
  const auto element = computed_dtype(s, op);
  element_operands e{s, {}, {}};
  graph_writer::values plain;
  for (std::size_t i = 0; i < s.inputs(); ++i) {
    const bool condition = i == 0 && info(op).domain == elementwise_domain::selection;
    plain.push_back(condition ? s.in_once(i) : s.to().cast(s.in_once(i), element));
    e.all.emplace_back(s.to(), plain.back());
    e.numbers.push_back(s.is_number(i) ? std::optional(s.number(i)) : std::nullopt);
  }
  if (rule.write) return s.out(rule.write(e).value());
  auto dims = plain[0].dims;
  for (const auto& x : plain) dims = *broadcast(dims, x.dims);
  s.out(s.to().add(rule.same, plain, element, dims));
}

}  // namespace

void refuse(const element_operands& e, const std::string& why) { e.step.refuse(why); }

std::vector<step_rule> elementwise_step_rules() {
  std::vector<step_rule> out;
  for (const auto& [op, rule] : all_element_rules())
    out.push_back({&record(op), write_elementwise});
  return out;
}

}  // namespace troupe
