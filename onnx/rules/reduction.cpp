// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"

namespace troupe {

namespace {

/// Returns the axes of a reduction as an argument, or nothing if it leaves its input as it is.
std::optional<std::string> axes_of(graph_node& n) {
  std::optional<std::vector<std::int64_t>> given;
  if (n.op() == "ReduceSum" && n.opset() >= 13) {
    const bool none = n.attribute("noop_with_empty_axes", 0) != 0;
    if (n.has(1)) given = n.integers(1);
    if ((!given || given->empty()) && none) return {};
    if (given && given->empty()) given.reset();
  } else {
    given = n.list_attribute("axes");
    n.refuse_if(given && given->empty(), "attribute axes is empty: not supported");
  }
  if (!given) return "";
  std::vector<std::int64_t> axes;
  const auto rank = n.rank();
  for (const auto one : *given) axes.push_back(n.axis(one, rank));
  std::ranges::sort(axes);
  n.refuse_if(std::ranges::adjacent_find(axes) != axes.end(), "an axis comes twice");
  return ", axis=" + text_of(axes);
}

void reduce(graph_node& n) {
  const std::map<std::string_view, std::string_view> words = {
      {"ReduceSum", "sum("},
      {"ReduceMean", "mean("},
      {"ReduceMax", "max("},
      {"ReduceMin", "min("},
      {"ReduceProd", "prod("},
      {"ReduceL1", "sum(abs("},
      {"ReduceL2", "norm("},
      {"ReduceLogSum", "log(sum("},
      {"ReduceLogSumExp", "logsumexp("},
      {"ReduceSumSquare", "sum_of_squares("}};
  const auto type = n.element();
  const auto op = n.op();
  n.refuse_if(!is_floating(type) && (op == "ReduceMean" || op == "ReduceL2" ||
                                     op.starts_with("ReduceLog") || op == "ReduceSumSquare"),
              "of integers: not supported");
  const auto axes = axes_of(n);
  const bool keep = n.attribute("keepdims", 1) != 0;
  if (!axes) return n.out_is(0, n.in(0));
  auto text = std::string(words.at(op)) + n.in(0) + (op == "ReduceL1" ? ")" : "") + *axes +
              ", keepdims=" + (keep ? "true" : "false") + ')' + (op == "ReduceLogSum" ? ")" : "");
  // Sums of integers are int64 or uint64 here.
  if (is_integer(type)) text = "astype(" + text + ", " + std::string(name(type)) + ')';
  n.out(0, text);
}

std::string reversed(const std::string& x, int axis) {
  return "slice(" + x + ", " + std::to_string(axis) + ", step=-1)";
}

void find(graph_node& n) {
  const auto dims = n.dims();
  const auto axis = n.axis_attribute(0, dims.rank());
  const bool last = n.attribute("select_last_index", 0) != 0;
  const auto text = std::string(n.op() == "ArgMax" ? "argmax(" : "argmin(") +
                    (last ? reversed(n.in(0), axis) : n.in(0)) + ", axis=" + std::to_string(axis) +
                    ", keepdims=" + (n.attribute("keepdims", 1) != 0 ? "true" : "false") + ')';
  n.out(0, last ? std::to_string(dims[axis] - 1) + " - " + text : text);
}

void cumulative_sum(graph_node& n) {
  auto dims = n.dims();
  const auto type = n.element();
  const auto axis = n.axis(n.integer(1), dims.rank());
  const bool backwards = n.attribute("reverse", 0) != 0;
  auto x = n.in(0);
  if (backwards) x = n.line(reversed(x, axis));
  if (n.attribute("exclusive", 0) != 0 && dims[axis] > 0) {
    auto first = dims;
    first[axis] = 1;
    x = n.line("concatenate([zeros(" + text_of(first) + ", dtype=" + std::string(name(type)) +
               "), slice(" + x + ", " + std::to_string(axis) +
               ", 0, -1)], axis=" + std::to_string(axis) + ')');
  }
  x = n.line("astype(cumsum(" + x + ", axis=" + std::to_string(axis) + "), " +
             std::string(name(type)) + ')');
  n.out_is(0, backwards ? n.line(reversed(x, axis)) : x);
}

}  // namespace

std::vector<rule> reduction_rules() {
  std::vector<rule> out = {{"ArgMax", find}, {"ArgMin", find}, {"CumSum", cumulative_sum}};
  for (const auto* op :
       {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
        "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"})
    out.push_back({op, reduce});
  return out;
}

}  // namespace troupe
