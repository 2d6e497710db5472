// SPDX-License-Identifier: MIT
#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/text/quoted.hpp"

// Optimisers of the domain ai.onnx.preview.training: a rate, the number of steps, and then the
// arrays of all parameters, kind by kind.

namespace troupe {

namespace {

/// Arrays of one parameter, by their kinds: itself, its gradient, and states.
class parameter_inputs {
 public:
  parameter_inputs(graph_node& n, int kinds) : n_(n), count_((n.inputs() - 2) / kinds) {
    n.refuse_if(n.inputs() < 2 + kinds || (n.inputs() - 2) % kinds != 0,
                "not as many arrays of each kind");
  }
  int count() const { return count_; }
  std::string in(int kind, int parameter) const { return n_.in(2 + kind * count_ + parameter); }
  void out(int kind, int parameter, const std::string& expression) const {
    n_.out(kind * count_ + parameter, expression);
  }
  /// Writes the gradient with what the norm of the parameters adds to it.
  std::string gradient(int parameter) const {
    return n_.line(n_.literal("norm_coefficient", 0) + " * " + in(0, parameter) + " + " +
                   in(1, parameter));
  }

 private:
  graph_node& n_;
  int count_;
};

void adagrad(graph_node& n) {
  const parameter_inputs all(n, 3);
  const auto rate = n.line(n.in(0) + " / (1 + astype(" + n.in(1) + ", float32) * " +
                           n.literal("decay_factor", 0) + ')');
  const auto epsilon = n.literal("epsilon", 1e-6F);
  for (int i = 0; i < all.count(); ++i) {
    const auto g = all.gradient(i);
    const auto sum = n.line(all.in(2, i) + " + square(" + g + ')');
    all.out(0, i,
            all.in(0, i) + " - " + rate + " * " + g + " / (sqrt(" + sum + ") + " + epsilon + ')');
    all.out(1, i, sum);
  }
}

void adam(graph_node& n) {
  const parameter_inputs all(n, 4);
  const auto alpha = n.literal("alpha", 0.9F), beta = n.literal("beta", 0.999F);
  const auto epsilon = n.literal("epsilon", 1e-6F), norm = n.literal("norm_coefficient_post", 0);
  const auto steps = n.line("astype(" + n.in(1) + ", float32)");
  const auto rate =
      n.line("where(" + steps + " > 0, " + n.in(0) + " * sqrt(1 - power(" + beta + ", " + steps +
             ")) / (1 - power(" + alpha + ", " + steps + ")), " + n.in(0) + ')');
  for (int i = 0; i < all.count(); ++i) {
    const auto g = all.gradient(i);
    const auto mean = n.line(alpha + " * " + all.in(2, i) + " + (1 - " + alpha + ") * " + g);
    const auto squares =
        n.line(beta + " * " + all.in(3, i) + " + (1 - " + beta + ") * square(" + g + ')');
    all.out(0, i,
            "(1 - " + norm + ") * (" + all.in(0, i) + " - " + rate + " * " + mean + " / (sqrt(" +
                squares + ") + " + epsilon + "))");
    all.out(1, i, mean);
    all.out(2, i, squares);
  }
}

void momentum(graph_node& n) {
  const parameter_inputs all(n, 3);
  const auto mode = n.text_attribute("mode", "standard");
  n.refuse_if(mode != "standard" && mode != "nesterov",
              "attribute mode " + quoted(mode) + ": not supported");
  const auto alpha = n.literal("alpha", 0);
  const auto beta =
      n.line("where(" + n.in(1) + " > 0, astype(" + n.literal("beta", 0) + ", float32), 1)");
  for (int i = 0; i < all.count(); ++i) {
    const auto g = all.gradient(i);
    const auto v = n.line(alpha + " * " + all.in(2, i) + " + " + beta + " * " + g);
    const auto way = mode == "standard" ? v : n.line(g + " + " + alpha + " * " + v);
    all.out(0, i, all.in(0, i) + " - " + n.in(0) + " * " + way);
    all.out(1, i, v);
  }
}

}  // namespace

std::vector<rule> optimiser_rules() {
  return {{"ai.onnx.preview.training.Adagrad", adagrad},
          {"ai.onnx.preview.training.Adam", adam},
          {"ai.onnx.preview.training.Momentum", momentum}};
}

}  // namespace troupe
