// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/recurrent.hpp"

namespace troupe::nn {

/// State of an lstm, each [layers * directions, batch, hidden]: for each layer, first the forward
/// direction. In an initial state, a tensor that names no array stands for zeros.
struct lstm_state {
  tensor hidden, cell;

  /// Returns the same state as constants: gradients do not flow back beyond it.
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
/// as in PyTorch's nn.LSTM (Hochreiter and Schmidhuber 1997; Gers, Schmidhuber and Cummins 2000).
/// The number of features is learnt at the first call. As a layer it returns the outputs; `run`
/// also takes and returns states:
///
///     auto [y, state] = cell.run(x);
///     auto [z, later] = cell.run(next, state.detach());
///
/// Throws if x does not have three axes, has no step, later another number of features, or is not
/// floating-point, and for states that do not fit it.
class lstm {
 public:
  explicit lstm(std::int64_t hidden, recurrent_options options = {},
                caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return layers_.outputs(x, where);
  }
  lstm_result run(const tensor& x, const lstm_state& first = {},
                  caller where = caller::current()) const;

  /// Returns the weights of one layer and direction. Throws if there are none.
  recurrent_weights& weights(int layer = 0, bool reverse = false,
                             caller where = caller::current()) {
    return layers_.weights(layer, reverse, where);
  }
  void members(auto&& each) { layers_.members(each); }

 private:
  detail::recurrent layers_;
};

}  // namespace troupe::nn
