// SPDX-License-Identifier: MIT
#include "troupe/onnx/element_rule.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/elementwise_types.hpp"

namespace troupe {

namespace {

const element_rules& all_element_rules() {
  static const auto& all = *new element_rules([] {
    element_rules out;
    for (const auto& some : {function_element_rules()}) out.insert(some.begin(), some.end());
    return out;
  }());
  return all;
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
  const auto found = all_element_rules().find(op);
  if (found == all_element_rules().end()) s.refuse("has no counterpart in ONNX");
  const auto element = computed_dtype(s, op);
  element_operands e{s.to(), {}, {}, {}};
  for (std::size_t i = 0; i < s.inputs(); ++i) {
    const bool condition = i == 0 && info(op).domain == elementwise_domain::selection;
    e.all.push_back(condition ? s.in_once(i) : s.to().cast(s.in_once(i), element));
    e.numbers.push_back(s.is_number(i));
    e.bits.push_back(s.is_number(i) ? s.number(i).bits : 0);
  }
  s.out(found->second(e));
}

}  // namespace

std::vector<step_rule> elementwise_step_rules() {
  std::vector<step_rule> out;
  for (const auto& [op, rule] : all_element_rules()) out.push_back({&record(op), write_elementwise});
  return out;
}

}  // namespace troupe
