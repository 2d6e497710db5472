// SPDX-License-Identifier: MIT
#include <span>

#include "troupe/devices/attributes.hpp"
#include "troupe/onnx/steps/step_rule.hpp"
#include "troupe/onnx/written_step.hpp"
#include "troupe/tensor/linalg/records.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/softmax.hpp"

namespace troupe {

namespace {

/// Matrices, without the axes along which they repeat.
onnx_value matrices(const written_step& s, std::size_t i, dtype element) {
  const auto& all = s.dims(i);
  auto x = s.in_once(i);
  const int rank = x.dims.rank();
  if (rank < 2 || x.dims[rank - 1] != all[all.rank() - 1] ||
      x.dims[rank - 2] != all[all.rank() - 2])
    x = s.in(i);
  return s.to().cast(x, element);
}

/// Shape of products: axes along which both operands repeat are not there yet.
shape product_of(const shape& left, const shape& right) {
  const auto batch = [](const shape& of) { return shape(std::span(of.begin(), of.end() - 2)); };
  auto out = *broadcast(batch(left), batch(right));
  out.push_back(left[left.rank() - 2]);
  out.push_back(right[right.rank() - 1]);
  return out;
}

void write_matmul(const written_step& s) {
  const auto own = s.result().element;
  const auto element = own == boolean ? int32 : computed(own);
  const auto left = matrices(s, 0, element), right = matrices(s, 1, element);
  s.out(s.to().add("MatMul", {left, right}, element, product_of(left.dims, right.dims)));
}

void write_linear(const written_step& s) {
  auto& to = s.to();
  const auto element = computed(s.result().element);
  const auto sum = to.add(
      "Gemm", {to.cast(s.in(0), element), to.cast(s.in(1), element), to.cast(s.in(2), element)},
      element, s.result().dims);
  s.out(&s.op() == &linear_relu_operation ? to.map("Relu", sum) : sum);
}

void write_softmax(const written_step& s) {
  const auto x = s.to().cast(s.in(), computed(s.result().element));
  s.out(s.to().add(&s.op() == &softmax_operation ? "Softmax" : "LogSoftmax", {x}, x.element, x.dims,
                   {{"axis", std::int64_t{s.given<softmax_attributes>().axis}}}));
}

void write_determinant(const written_step& s) {
  const auto x = s.to().cast(s.in(), computed(s.result().element));
  s.out(s.to().add("Det", {x}, x.element, s.result().dims));
}

}  // namespace

std::vector<step_rule> product_step_rules() {
  const auto& det = linalg_operations()[static_cast<std::size_t>(linalg_op::det)];
  return {{&matmul_operation, write_matmul},       {&linear_operation, write_linear},
          {&linear_relu_operation, write_linear},  {&softmax_operation, write_softmax},
          {&log_softmax_operation, write_softmax}, {&det, write_determinant}};
}

}  // namespace troupe
