// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

void matmul(graph_node& n) { n.out(0, "matmul(" + n.in(0) + ", " + n.in(1) + ')'); }

void gemm(graph_node& n) {
  const auto type = n.element();
  const auto alpha = n.real_attribute("alpha", 1), beta = n.real_attribute("beta", 1);
  n.refuse_if(!is_floating(type) && (alpha != 1 || beta != 1),
              "of integers with factors: not supported");
  if (n.opset() < 7) n.attribute("broadcast", 0);
  const auto matrix = [&](int i, const char* transposed) {
    return n.attribute(transposed, 0) != 0 ? "transpose(" + n.in(i) + ')' : n.in(i);
  };
  const auto a = matrix(0, "transA"), b = matrix(1, "transB");
  if (alpha == 1 && beta == 1 && n.has(2) && n.rank(1) == 2 && n.rank(2) == 1 &&
      n.dims(2)[0] == n.dims(1)[n.attribute("transB", 0) != 0 ? 0 : 1])
    return n.out(0, "linear(" + a + ", " + b + ", " + n.in(2) + ')');
  auto x = n.line("matmul(" + a + ", " + b + ')');
  if (alpha != 1) x = n.line(x + " * " + n.literal("alpha", 1));
  if (n.has(2)) x = n.line(x + " + " + n.in(2) + (beta != 1 ? " * " + n.literal("beta", 1) : ""));
  n.out_is(0, x);
}

/// Before version 13 the axes from the given one on count as one.
void softmax(graph_node& n) {
  const auto word = n.op() == "Softmax" ? "softmax(" : "log_softmax(";
  const auto dims = n.dims();
  if (n.opset() >= 13) {
    const auto axis = n.axis_attribute(-1, dims.rank());
    return n.out(0, word + n.in(0) + ", axis=" + std::to_string(axis) + ')');
  }
  const auto axis = n.axis_attribute(1, dims.rank());
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, std::int64_t{1}, std::multiplies<>());
  };
  const std::vector<std::int64_t> flat = {product(dims.begin(), dims.begin() + axis),
                                          product(dims.begin() + axis, dims.end())};
  n.out(0, std::string("reshape(") + word + "reshape(" + n.in(0) + ", " + text_of(flat) +
               "), axis=1), " + text_of(dims) + ')');
}

/// Ones where the greatest is, the first of them.
void hardmax(graph_node& n) {
  const auto dims = n.dims();
  n.refuse_if(n.opset() < 13, "of version " + std::to_string(n.opset()) + ": not supported");
  const auto axis = n.axis_attribute(-1, dims.rank());
  std::vector<std::int64_t> along(static_cast<std::size_t>(dims.rank()), 1);
  along[static_cast<std::size_t>(axis)] = dims[axis];
  n.out(0, "astype(equal(argmax(" + n.in(0) + ", axis=" + std::to_string(axis) +
               ", keepdims=true), reshape(arange(" + std::to_string(dims[axis]) + "), " +
               text_of(along) + ")), " + std::string(name(n.element())) + ')');
}

void einstein_sum(graph_node& n) {
  const auto equation = n.text_attribute("equation", "");
  n.refuse_if(equation.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,-> ") != std::string::npos,
              "attribute equation " + quoted(equation) + ": not supported");
  std::string all;
  for (int i = 0; i < n.inputs(); ++i) all += ", " + n.in(i);
  n.out(0, "einsum(\"" + equation + '"' + all + ')');
}

void determinant(graph_node& n) {
  n.refuse_if(!is_floating(n.element()), "of integers: not supported");
  n.out(0, "det(" + n.in(0) + ')');
}

}  // namespace

std::vector<rule> product_rules() {
  return {{"Det", determinant}, {"Einsum", einstein_sum}, {"MatMul", matmul},  {"Gemm", gemm},
          {"Softmax", softmax}, {"LogSoftmax", softmax},  {"Hardmax", hardmax}};
}

}  // namespace troupe
