// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/recurrent.hpp"

namespace troupe::nn {

/// What an lstm remembers, each [layers * directions, batch, hidden]: per layer first its run from
/// the first step on. As a state to begin with, what names no array is zero.
struct lstm_state {
  tensor hidden, cell;

  /// The same as constants: gradients do not go back beyond.
  lstm_state detach() const { return {hidden.detach(), cell.detach()}; }
};

struct lstm_result {
  tensor output;
  lstm_state state;  ///< after the last step
};

/// Long short-term memory. x is [time, batch, features], the output [time, batch, hidden], or 2 *
/// hidden with both directions side by side. For every step, with gates i, f, g, o in this order in
/// the weights,
///
///     i, f, o = sigmoid(x W + b + h V + c)     g = tanh(x W + b + h V + c)
///     cell' = f * cell + i * g                 h' = o * tanh(cell')
///
/// as PyTorch's nn.LSTM (Hochreiter and Schmidhuber 1997; Gers, Schmidhuber and Cummins 2000). The
/// features are counted when it is first called. As a layer it gives the outputs; `run` also gives
/// and takes states:
///
///     auto [y, state] = cell.run(x);
///     auto [z, later] = cell.run(next, state.detach());
///
/// Throws if x has not three axes, no step, another number of features later or no floats, and for
/// states that do not fit it.
class lstm {
 public:
  explicit lstm(std::int64_t hidden, recurrent_options options = {},
                caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return layers_.outputs(x, where);
  }
  lstm_result run(const tensor& x, const lstm_state& first = {},
                  caller where = caller::current()) const;

  /// Throws if there are none.
  recurrent_weights& weights(int layer = 0, bool reverse = false,
                             caller where = caller::current()) {
    return layers_.weights(layer, reverse, where);
  }
  void members(auto&& each) { layers_.members(each); }

 private:
  recurrent layers_;
};

}  // namespace troupe::nn
