// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"

// Operators that have a word of their own, and those that take any number of inputs. Inputs have
// one dtype, which is the output's.

namespace troupe {

namespace {

void one_word(graph_node& n) {
  const std::map<std::string_view, std::string_view> words = {
      {"Abs", "abs"},           {"Acos", "arccos"},     {"Acosh", "arccosh"},
      {"Asin", "arcsin"},       {"Asinh", "arcsinh"},   {"Atan", "arctan"},
      {"Atanh", "arctanh"},     {"Ceil", "ceil"},       {"Cos", "cos"},
      {"Cosh", "cosh"},         {"Erf", "erf"},         {"Exp", "exp"},
      {"Floor", "floor"},       {"IsNaN", "isnan"},     {"Log", "log"},
      {"Neg", "negative"},      {"Not", "logical_not"}, {"Reciprocal", "reciprocal"},
      {"Relu", "relu"},         {"Round", "round"},     {"Sigmoid", "sigmoid"},
      {"Sign", "sign"},         {"Sin", "sin"},         {"Sinh", "sinh"},
      {"Softplus", "softplus"}, {"Sqrt", "sqrt"},       {"Tan", "tan"},
      {"Tanh", "tanh"}};
  n.refuse_if(n.op() == "Erf" && !is_floating(n.element()), "of integers: not supported");
  n.out(0, std::string(words.at(n.op())) + '(' + n.in(0) + ')');
}

/// Returns the second input. Before version 7 an attribute may say at which axis of the first one
/// its axes begin.
std::string second(graph_node& n) {
  if (n.opset() >= 7) return n.in(1);
  const bool broadcast = n.attribute("broadcast", 0) != 0;
  if (!n.has_attribute("axis")) return n.in(1);
  const auto all = n.dims(0), own = n.dims(1);
  const auto axis = n.axis_attribute(0, all.rank());
  n.refuse_if(!broadcast || axis + own.rank() > all.rank(), "attribute axis: not supported");
  std::vector<std::int64_t> dims(own.begin(), own.end());
  dims.resize(static_cast<std::size_t>(all.rank() - axis), 1);
  return n.line("reshape(" + n.in(1) + ", " + text_of(dims) + ')');
}

void of_two(graph_node& n) {
  const std::map<std::string_view, std::string_view> words = {{"Add", "add"},
                                                              {"And", "logical_and"},
                                                              {"Equal", "equal"},
                                                              {"Greater", "greater"},
                                                              {"GreaterOrEqual", "greater_equal"},
                                                              {"Less", "less"},
                                                              {"LessOrEqual", "less_equal"},
                                                              {"Mul", "multiply"},
                                                              {"Or", "logical_or"},
                                                              {"Sub", "subtract"},
                                                              {"Xor", "logical_xor"}};
  n.out(0, std::string(words.at(n.op())) + '(' + n.in(0) + ", " + second(n) + ')');
}

void divide(graph_node& n) {
  const auto x = n.in(0), y = second(n);
  // Of integers it is truncated, which is exact once what is left over is gone.
  if (is_floating(n.element())) n.out(0, "divide(" + x + ", " + y + ')');
  else n.out(0, "floor_divide(" + x + " - fmod(" + x + ", " + y + "), " + y + ')');
}

void power(graph_node& n) {
  const auto type = n.element();
  const auto raised = "power(" + n.in(0) + ", " + second(n) + ')';
  n.out(0,
        n.element(1) == type ? raised : "astype(" + raised + ", " + std::string(name(type)) + ')');
}

void modulo(graph_node& n) {
  const bool as_c = n.attribute("fmod", 0) != 0;
  n.refuse_if(!as_c && is_floating(n.element()), "of reals, without attribute fmod: not supported");
  n.out(0, std::string(as_c ? "fmod(" : "remainder(") + n.in(0) + ", " + n.in(1) + ')');
}

/// Inputs one after the other.
void of_many(graph_node& n) {
  const std::map<std::string_view, std::string_view> words = {
      {"Max", "maximum"}, {"Min", "minimum"}, {"Sum", "add"}, {"Mean", "add"}};
  auto all = n.in(0);
  for (int i = 1; i < n.inputs(); ++i)
    all = n.line(std::string(words.at(n.op())) + '(' + all + ", " + n.in(i) + ')');
  if (n.op() == "Mean" && n.inputs() > 1)
    all = n.line("divide(" + all + ", " + std::to_string(n.inputs()) + ')');
  n.out_is(0, all);
}

void where(graph_node& n) { n.out(0, "where(" + n.in(0) + ", " + n.in(1) + ", " + n.in(2) + ')'); }

void is_infinite(graph_node& n) {
  const bool above = n.attribute("detect_positive", 1) != 0;
  const bool below = n.attribute("detect_negative", 1) != 0;
  const auto x = n.in(0);
  if (above && below) n.out(0, "isinf(" + x + ')');
  else if (above) n.out(0, "equal(" + x + ", inf)");
  else if (below) n.out(0, "equal(" + x + ", (-inf))");
  else n.out(0, "not_equal(" + x + ", " + x + ") * isinf(" + x + ')');
}

void clip(graph_node& n) {
  auto x = n.in(0);
  if (n.opset() < 11) {
    if (n.has_attribute("min")) x = n.line("maximum(" + x + ", " + n.literal("min", 0) + ')');
    if (n.has_attribute("max")) x = n.line("minimum(" + x + ", " + n.literal("max", 0) + ')');
  } else {
    if (n.has(1)) x = n.line("maximum(" + x + ", " + n.in(1) + ')');
    if (n.has(2)) x = n.line("minimum(" + x + ", " + n.in(2) + ')');
  }
  n.out_is(0, x);
}

void cast(graph_node& n) {
  const auto to = n.op() == "Cast" ? n.dtype_attribute("to", float32) : n.element(1);
  n.out(0, "astype(" + n.in(0) + ", " + std::string(name(to)) + ')');
}

}  // namespace

std::vector<rule> elementwise_rules() {
  std::vector<rule> out = {{"Div", divide},  {"Pow", power},         {"Mod", modulo},
                           {"Where", where}, {"IsInf", is_infinite}, {"Clip", clip},
                           {"Cast", cast},   {"CastLike", cast}};
  for (const auto* op : {"Abs",  "Acos", "Acosh", "Asin",       "Asinh", "Atan",  "Atanh",
                         "Ceil", "Cos",  "Cosh",  "Erf",        "Exp",   "Floor", "IsNaN",
                         "Log",  "Neg",  "Not",   "Reciprocal", "Relu",  "Round", "Sigmoid",
                         "Sign", "Sin",  "Sinh",  "Softplus",   "Sqrt",  "Tan",   "Tanh"})
    out.push_back({op, one_word});
  for (const auto* op : {"Add", "And", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
                         "Mul", "Or", "Sub", "Xor"})
    out.push_back({op, of_two});
  for (const auto* op : {"Max", "Min", "Sum", "Mean"}) out.push_back({op, of_many});
  return out;
}

}  // namespace troupe
