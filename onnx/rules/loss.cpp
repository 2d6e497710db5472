// SPDX-License-Identifier: MIT
#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/text/quoted.hpp"

namespace troupe {

namespace {

/// Minus the logarithm of the probability at each label, weighted by class; labels that are to be
/// ignored count nothing.
void write_loss(graph_node& n, const std::string& logarithms) {
  const auto type = std::string(name(n.element()));
  const auto d = n.dims(0);
  n.refuse_if(d.rank() < 2 || n.rank(1) != d.rank() - 1, "shapes that do not fit");
  const auto mode = n.text_attribute("reduction", "mean");
  n.refuse_if(mode != "mean" && mode != "sum" && mode != "none",
              "attribute reduction " + quoted(mode) + ": not supported");
  auto labels = n.line("astype(" + n.in(1) + ", int64)");
  std::string counted;
  if (n.has_attribute("ignore_index")) {
    const auto ignored = n.attribute("ignore_index", 0);
    const auto text = ignored < 0 ? "(" + std::to_string(ignored) + ")" : std::to_string(ignored);
    n.refuse_if(ignored == INT64_MIN, "attribute ignore_index: not supported");
    counted = n.line("not_equal(" + labels + ", " + text + ')');
    labels = n.line("where(" + counted + ", " + labels + ", 0)");
  }
  auto loss = n.line("negative(squeeze(take_along_axis(" + logarithms + ", expand_dims(" + labels +
                     ", 1), 1), 1))");
  std::string weights;
  if (n.has(2)) weights = n.line("take(" + n.in(2) + ", " + labels + ", axis=0)");
  if (!counted.empty())
    weights = n.line(weights.empty() ? "astype(" + counted + ", " + type + ')'
                                     : "where(" + counted + ", " + weights + ", 0)");
  if (!weights.empty()) {
    loss = n.line(counted.empty() ? loss + " * " + weights
                                  : "where(" + counted + ", " + loss + " * " + weights + ", 0)");
  }
  if (mode == "none") return n.out_is(0, loss);
  if (mode == "sum") return n.out(0, "sum(" + loss + ')');
  n.out(0, weights.empty() ? "mean(" + loss + ')' : "sum(" + loss + ") / sum(" + weights + ')');
}

void likelihood(graph_node& n) { write_loss(n, n.in(0)); }

void cross_entropy(graph_node& n) {
  const auto logarithms = n.line("log_softmax(" + n.in(0) + ", axis=1)");
  write_loss(n, logarithms);
  n.out_is(1, logarithms);
}

}  // namespace

std::vector<rule> loss_rules() {
  return {{"NegativeLogLikelihoodLoss", likelihood}, {"SoftmaxCrossEntropyLoss", cross_entropy}};
}

}  // namespace troupe
