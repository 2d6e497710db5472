// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/dtypes.hpp"

// Integers that stand for reals: x = (q - zero point) * scale, with one scale for all or one for
// each position along an axis.

namespace troupe {

namespace {

std::string as(const std::string& x, dtype element) {
  return "astype(" + x + ", " + std::string(name(element)) + ')';
}

/// Returns an input that is one number, or as many as there are positions along an axis, in a shape
/// that broadcasts to that of the whole.
std::string along(graph_node& n, int input, int axis, int rank) {
  const auto size = n.dims(input).size();
  if (n.rank(input) == 0 || size == 1) return n.line("reshape(" + n.in(input) + ", ())");
  std::vector<std::int64_t> dims(static_cast<std::size_t>(rank), 1);
  dims[static_cast<std::size_t>(axis)] = size;
  return n.line("reshape(" + n.in(input) + ", " + text_of(dims) + ')');
}

/// Returns reals rounded and moved to the zero point, as integers that stop at the ends of their
/// dtype.
std::string stored(const std::string& x, const std::string& zero, dtype element, caller where) {
  const auto ends = iinfo(element, where);
  return as("clip(round(" + x + ") + " + as(zero, float32) + ", (" + std::to_string(ends.min) +
                ".0), " + std::to_string(ends.max) + ".0)",
            element);
}

/// Returns an input less its zero point, in int32. `row` says that points lie along the first of
/// two axes.
std::string moved(graph_node& n, int input, int zero, bool row) {
  const auto x = as(n.in(input), int32);
  if (!n.has(zero)) return n.line(x);
  auto point = as(n.in(zero), int32);
  if (row && n.rank(zero) == 1 && n.dims(zero)[0] > 1) point = "expand_dims(" + point + ", 1)";
  return n.line(x + " - " + point);
}

void quantize(graph_node& n) {
  const auto rank = n.rank();
  const auto given = n.attribute("axis", 1);
  const auto axis = n.dims(1).size() == 1 ? 0 : n.axis(given, rank);
  const auto element = n.has(2) ? n.element(2) : uint8;
  const auto scale = along(n, 1, axis, rank);
  const auto zero = n.has(2) ? along(n, 2, axis, rank) : n.constant(full({}, 0, uint8));
  n.out(0, stored(as(n.in(0), float32) + " / " + scale, zero, element, n.where()));
}

void dequantize(graph_node& n) {
  const auto rank = n.rank();
  const auto given = n.attribute("axis", 1);
  const auto axis = n.dims(1).size() == 1 ? 0 : n.axis(given, rank);
  auto x = as(n.in(0), n.element(1));
  const auto scale = along(n, 1, axis, rank);
  if (n.has(2)) x = '(' + x + " - " + as(along(n, 2, axis, rank), n.element(1)) + ')';
  n.out(0, x + " * " + scale);
}

/// The scale is chosen so that all elements and 0 can be told apart.
void quantize_as_needed(graph_node& n) {
  const auto x = n.in(0);
  const auto least = n.line("minimum(min(" + x + "), 0)");
  const auto most = n.line("maximum(max(" + x + "), 0)");
  const auto scale = n.line('(' + most + " - " + least + ") / 255");
  const auto point =
      n.line(as("clip(round(negative(" + least + ") / " + scale + "), 0, 255)", uint8));
  n.out(0, stored(x + " / " + scale, point, uint8, n.where()));
  if (n.wants(1)) n.out_is(1, scale);
  if (n.wants(2)) n.out_is(2, point);
}

void matmul_of_integers(graph_node& n) {
  const auto a = moved(n, 0, 2, true), b = moved(n, 1, 3, false);
  n.out(0, "matmul(" + a + ", " + b + ')');
}

void matmul_of_quantized(graph_node& n) {
  const auto a = moved(n, 0, 2, true), b = moved(n, 3, 5, false);
  const auto scale = n.line(n.in(1) + " * " + n.in(4) + " / " + n.in(6));
  n.out(0, stored("matmul(" + a + ", " + b + ") * " + scale, n.in(7), n.element(7), n.where()));
}

void shift(graph_node& n) {
  const auto direction = n.text_attribute("direction", "");
  n.refuse_if(direction != "LEFT" && direction != "RIGHT", "attribute direction: not supported");
  n.out(0, std::string(direction == "LEFT" ? "bitwise_left_shift(" : "bitwise_right_shift(") +
               n.in(0) + ", " + n.in(1) + ')');
}

}  // namespace

std::vector<rule> quantization_rules() {
  return {{"BitShift", shift},
          {"DequantizeLinear", dequantize},
          {"DynamicQuantizeLinear", quantize_as_needed},
          {"MatMulInteger", matmul_of_integers},
          {"QLinearMatMul", matmul_of_quantized},
          {"QuantizeLinear", quantize}};
}

}  // namespace troupe
