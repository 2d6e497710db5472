// SPDX-License-Identifier: MIT
#include "troupe/onnx/element_rule.hpp"

namespace troupe {

namespace {

template <const char* Op>
onnx_value same_operator(const element_operands& e) {
  return e.to.map(Op, e.x());
}

constexpr char exp_operator[] = "Exp";

}  // namespace

element_rules function_element_rules() {
  using op = elementwise_op;
  return {{op::exp, same_operator<exp_operator>}};
}

}  // namespace troupe
