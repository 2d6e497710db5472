// SPDX-License-Identifier: MIT
#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"

// Activations that are written with several words.

namespace troupe {

namespace {

void leaky_relu(graph_node& n) {
  const auto x = n.in(0);
  n.out(0, "leaky_relu(" + x + ", " + n.literal("alpha", 0.01F) + ')');
}

/// Before version 7 a list of slopes has one for each channel.
void prelu(graph_node& n) {
  const auto x = n.in(0);
  auto slope = n.in(1);
  if (n.opset() < 7 && n.rank() > 2) {
    n.refuse_if(n.rank(1) > 1, "such slopes: not supported");
    const std::vector<std::int64_t> by_channel(static_cast<std::size_t>(n.rank() - 2), 1);
    slope = "reshape(" + slope + ", [-1" + text_of(by_channel).replace(0, 1, ", ") + ')';
  }
  n.out(0, "where(" + x + " < 0, " + x + " * " + slope + ", " + x + ')');
}

void elu(graph_node& n) {
  const auto x = n.in(0);
  n.out(0, "elu(" + x + ", " + n.literal("alpha", 1) + ')');
}

void celu(graph_node& n) {
  const auto x = n.in(0), alpha = n.literal("alpha", 1);
  n.out(0, "maximum(" + x + ", 0) + minimum(expm1(" + x + " / " + alpha + ") * " + alpha + ", 0)");
}

void selu(graph_node& n) {
  const auto x = n.in(0);
  n.out(0, "where(" + x + " > 0, " + x + ", expm1(" + x + ") * " + n.literal("alpha", 1.67326319F) +
               ") * " + n.literal("gamma", 1.05070102F));
}

void hard_sigmoid(graph_node& n) {
  n.out(0, "clip(" + n.in(0) + " * " + n.literal("alpha", 0.2F) + " + " + n.literal("beta", 0.5F) +
               ", 0, 1)");
}

void hard_swish(graph_node& n) {
  const auto x = n.in(0);
  n.out(0, x + " * clip(" + x + " / 6 + 0.5, 0, 1)");
}

void softsign(graph_node& n) {
  const auto x = n.in(0);
  n.out(0, x + " / (abs(" + x + ") + 1)");
}

void thresholded_relu(graph_node& n) {
  const auto x = n.in(0);
  n.out(0, "where(" + x + " > " + n.literal("alpha", 1) + ", " + x + ", 0)");
}

void shrink(graph_node& n) {
  const auto x = n.in(0), bias = n.literal("bias", 0), bound = n.literal("lambd", 0.5F);
  n.refuse_if(!is_floating(n.element()), "of integers: not supported");
  n.out(0, "where(" + x + " < -" + bound + ", " + x + " + " + bias + ", where(" + x + " > " +
               bound + ", " + x + " - " + bias + ", 0))");
}

}  // namespace

std::vector<rule> activation_rules() {
  return {{"LeakyRelu", leaky_relu},
          {"PRelu", prelu},
          {"Elu", elu},
          {"Celu", celu},
          {"Selu", selu},
          {"HardSigmoid", hard_sigmoid},
          {"HardSwish", hard_swish},
          {"Softsign", softsign},
          {"ThresholdedRelu", thresholded_relu},
          {"Shrink", shrink}};
}

}  // namespace troupe
