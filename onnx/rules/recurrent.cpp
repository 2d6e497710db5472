// SPDX-License-Identifier: MIT
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "troupe/onnx/graph_node.hpp"
#include "troupe/onnx/rules/rule.hpp"
#include "troupe/text/quoted.hpp"

// Recurrent layers, step by step: the number of steps is known.

namespace troupe {

namespace {

constexpr std::int64_t most_steps = 1000;

int gates_of(const graph_node& n) { return n.op() == "RNN" ? 1 : n.op() == "GRU" ? 3 : 4; }

/// One direction of a layer while its steps are written. States are [batch, hidden].
class recurrence {
 public:
  /// Writes what all steps have in common; `x` is [steps, batch, inputs].
  recurrence(graph_node& n, int direction, const std::string& x, std::int64_t batch)
      : n_(n), direction_(direction), size_(n.dims(2)[2]) {
    hidden = state(5, batch);
    if (n.op() == "LSTM") cell = state(6, batch);
    recurrent_ = n.line("transpose(" + own(2) + ')');
    inputs_ = n.line("matmul(" + x + ", transpose(" + own(1) + "))");
    if (!n.has(3)) return;
    const auto all = std::to_string(gates_of(n) * size_);
    const auto biases = n.line(own(3));
    inputs_ = n.line(inputs_ + " + " + biases + "[0:" + all + ']');
    bias_ = n.line(biases + '[' + all + ":]");
  }

  /// Writes a step, which reads the inputs at a position.
  void step(std::int64_t at) {
    const auto x = n_.line(inputs_ + '[' + std::to_string(at) + ']');
    auto back = n_.line("matmul(" + hidden + ", " + recurrent_ + ')');
    if (!bias_.empty()) back = n_.line(back + " + " + bias_);
    if (n_.op() == "RNN") hidden = activated(0, "tanh", x + " + " + back);
    else if (n_.op() == "GRU") step_of_gru(x, back);
    else step_of_lstm(n_.line(x + " + " + back));
  }

  std::string hidden, cell;  ///< states after the last step

 private:
  /// Returns this direction's part of an input.
  std::string own(int input) { return n_.in(input) + '[' + std::to_string(direction_) + ']'; }

  std::string state(int input, std::int64_t batch) {
    if (!n_.has(input))
      return n_.line("zeros(" + text_of(std::vector{batch, size_}) +
                     ", dtype=" + std::string(name(n_.element())) + ')');
    if (n_.attribute("layout", 0) == 0) return n_.line(own(input));
    return n_.line(n_.in(input) + "[:, " + std::to_string(direction_) + ']');
  }

  /// Returns the part of a gate, by its number.
  std::string gate(const std::string& all, int which) const {
    return all + "[..., " + std::to_string(which * size_) + ':' +
           std::to_string((which + 1) * size_) + ']';
  }

  /// Applies an activation, by its number among those of a direction.
  std::string activated(int which, const std::string& usual, const std::string& x) {
    auto name = usual;
    if (const auto* given = n_.raw_attribute("activations")) {
      const auto each = std::max(gates_of(n_) - 1, 1);
      const auto at = direction_ * each + which;
      n_.refuse_if(given->strings_size() <= at, "attribute activations is too short");
      name = given->strings(at);
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    }
    n_.refuse_if(name != "relu" && name != "sigmoid" && name != "tanh" && name != "softplus",
                 "activation " + quoted(name) + ": not supported");
    return n_.line(name + '(' + x + ')');
  }

  /// Gates z, r and h.
  void step_of_gru(const std::string& x, const std::string& back) {
    const auto z = activated(0, "sigmoid", gate(x, 0) + " + " + gate(back, 0));
    const auto r = activated(0, "sigmoid", gate(x, 1) + " + " + gate(back, 1));
    auto share = n_.line(r + " * " + gate(back, 2));
    if (n_.attribute("linear_before_reset", 0) == 0) {
      share = n_.line("matmul(" + r + " * " + hidden + ", " + gate(recurrent_, 2) + ')');
      if (!bias_.empty()) share = n_.line(share + " + " + gate(bias_, 2));
    }
    const auto candidate = activated(1, "tanh", gate(x, 2) + " + " + share);
    hidden = n_.line("(1 - " + z + ") * " + candidate + " + " + z + " * " + hidden);
  }

  /// Gates i, o, f and c; the first three may see the cell, by weights in the order i, o, f.
  void step_of_lstm(const std::string& all) {
    const auto seen = [&](int which) {
      if (!n_.has(7)) return gate(all, which);
      return gate(all, which) + " + " + gate(own(7), which) + " * " + cell;
    };
    const auto i = activated(0, "sigmoid", seen(0)), f = activated(0, "sigmoid", seen(2));
    const auto c = activated(1, "tanh", gate(all, 3));
    cell = n_.line(f + " * " + cell + " + " + i + " * " + c);
    const auto o = activated(0, "sigmoid", seen(1));
    hidden = n_.line(o + " * " + activated(2, "tanh", cell));
  }

  graph_node& n_;
  int direction_;
  std::int64_t size_;  ///< of the hidden state
  std::string recurrent_, bias_, inputs_;
};

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& one : names) all += (all.empty() ? "" : ", ") + one;
  return '[' + all + ']';
}

/// Returns a line that keeps a state where a sequence is longer than the step's position.
std::string kept(graph_node& n, std::int64_t at, const std::string& state,
                 const std::string& otherwise) {
  return n.line("where(expand_dims(" + n.in(4) + " > " + std::to_string(at) + ", 1), " + state +
                ", " + otherwise + ')');
}

void recurrent(graph_node& n) {
  const bool batch_first = n.attribute("layout", 0) != 0;
  n.refuse_if(n.rank() != 3 || n.rank(1) != 3 || n.rank(2) != 3, "shapes that do not fit");
  n.refuse_if(n.attribute("input_forget", 0) != 0, "attribute input_forget: not supported");
  n.refuse_if(n.attribute("hidden_size", n.dims(2)[2]) != n.dims(2)[2],
              "attribute hidden_size is not that of the weights");
  n.attribute("linear_before_reset", 0);
  const auto way = n.text_attribute("direction", "forward");
  n.refuse_if(way != "forward" && way != "reverse" && way != "bidirectional",
              "attribute direction " + quoted(way) + ": not supported");
  const int directions = way == "bidirectional" ? 2 : 1;
  n.refuse_if(n.dims(1)[0] != directions || n.dims(2)[0] != directions, "shapes that do not fit");
  const auto steps = n.dims()[batch_first ? 1 : 0], batch = n.dims()[batch_first ? 0 : 1];
  n.refuse_if(steps < 1 || steps > most_steps, "so many steps: not supported");
  const auto x = batch_first ? n.line("swapaxes(" + n.in(0) + ", 0, 1)") : n.in(0);
  std::vector<std::string> outputs, hidden, cells;
  for (int d = 0; d < directions; ++d) {
    recurrence layer(n, d, x, batch);
    std::vector<std::string> all(static_cast<std::size_t>(steps));
    for (std::int64_t i = 0; i < steps; ++i) {
      const auto at = way == "reverse" || d == 1 ? steps - 1 - i : i;
      const auto hidden_before = layer.hidden, cell_before = layer.cell;
      layer.step(at);
      all[static_cast<std::size_t>(at)] = layer.hidden;
      if (!n.has(4)) continue;
      all[static_cast<std::size_t>(at)] = kept(n, at, layer.hidden, "0");
      layer.hidden = kept(n, at, layer.hidden, hidden_before);
      if (n.op() == "LSTM") layer.cell = kept(n, at, layer.cell, cell_before);
    }
    outputs.push_back(n.line("stack(" + joined(all) + ')'));
    hidden.push_back(layer.hidden);
    cells.push_back(layer.cell);
  }
  const auto all = n.line("stack(" + joined(outputs) + ", axis=1)");
  const auto axis = std::string(", axis=") + (batch_first ? "1)" : "0)");
  if (n.wants(0)) n.out(0, batch_first ? "transpose(" + all + ", [2, 0, 1, 3])" : all);
  if (n.wants(1)) n.out(1, "stack(" + joined(hidden) + axis);
  if (n.wants(2)) n.out(2, "stack(" + joined(cells) + axis);
}

}  // namespace

std::vector<rule> recurrent_rules() {
  return {{"GRU", recurrent}, {"LSTM", recurrent}, {"RNN", recurrent}};
}

}  // namespace troupe
