// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "troupe/nn/dropout.hpp"
#include "troupe/nn/initialiser.hpp"

/// Common parts of `lstm` and `gru`.

namespace troupe::nn {

struct recurrent_options {
  int layers = 1;              ///< each takes the outputs of the previous one
  bool bidirectional = false;  ///< also run from the last step to the first, with separate weights
  bool batch_first = false;    ///< x and the output are [batch, time, ...]; states are unchanged
  bool bias = true;
  double dropout = 0;       ///< dropout rate of the outputs of all layers but the last, in training
  initialiser weight = {};  ///< for all parameters; absent: uniform in +-1 / sqrt(hidden)
};

/// Parameters of one layer in one direction: [inputs, gates * hidden], [hidden, gates * hidden] and
/// two of [gates * hidden], with the gates side by side. PyTorch's are the same transposed.
struct recurrent_weights {
  parameter input_weight, state_weight, input_bias, state_bias;
  bool has_bias = true;

  void members(auto&& each) {
    each("input_weight", input_weight, "state_weight", state_weight);
    if (has_bias) each("input_bias", input_bias, "state_bias", state_bias);
  }
};

namespace detail {

/// Arrays of one layer in one direction, for one call; absent biases name no array.
struct recurrent_arrays {
  tensor input_weight, state_weight, input_bias, state_bias;
};

/// Kind of recurrent layer.
struct recurrent_kind {
  std::string_view name;
  int gates;
  std::span<const std::string_view> states;  ///< names; the first state is also the output
  /// Runs one layer in one direction over x [time, batch, inputs], from states of [batch, hidden]
  /// each. Returns the outputs in the order of time, followed by the last value of every state but
  /// the first: [time + states - 1, batch, hidden].
  tensor (*run)(const tensor& x, const recurrent_arrays& w, std::span<const tensor> first,
                bool reverse, caller where);
};

/// Stack of layers of one kind, in one direction or two.
class recurrent {
 public:
  recurrent(const recurrent_kind& kind, std::int64_t hidden, recurrent_options options,
            caller where);

  tensor outputs(const tensor& x, caller where) const;
  /// Returns the outputs, and for each state the last values, [layers * directions, batch, hidden].
  /// States that name no array begin as zeros.
  std::pair<tensor, std::vector<tensor>> run(const tensor& x, std::span<const tensor> first,
                                             caller where) const;

  recurrent_weights& weights(int layer, bool reverse, caller where);
  void members(auto&& each) {
    for (std::size_t i = 0; i < weights_.size(); ++i) each(name_of(i), weights_[i]);
    each("dropout", dropout_);
  }

 private:
  /// Results of `recurrent_kind::run` for every layer and direction.
  using packs = std::vector<tensor>;

  std::size_t directions() const noexcept { return options_.bidirectional ? 2 : 1; }
  std::string name_of(std::size_t number) const;
  void check_input(const tensor& x, caller where) const;
  void check_state(const tensor& state, std::size_t number, const tensor& x, caller where) const;
  recurrent_arrays arrays(std::size_t number, const tensor& x, caller where) const;
  std::pair<tensor, packs> run_layers(const tensor& x, std::span<const tensor> first,
                                      caller where) const;

  const recurrent_kind* kind_;
  std::int64_t hidden_;
  recurrent_options options_;
  std::vector<recurrent_weights> weights_;
  dropout dropout_;
};

/// Computes x @ weight + bias for all steps at once, as a product of two matrices; x is [time,
/// batch, inputs].
tensor project_steps(const tensor& x, const tensor& weight, const tensor& bias);

/// Computes the gradient of the weight that every step's state is multiplied with, from the outputs
/// [time, batch, hidden], the first state and the gradients [time, batch, gates * hidden] of the
/// products.
tensor state_weight_gradient(const tensor& outputs, const tensor& first, const tensor& arriving,
                             bool reverse);

}  // namespace detail

}  // namespace troupe::nn
