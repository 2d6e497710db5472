// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/recurrent.hpp"

namespace troupe::nn {

struct gru_result {
  tensor output;
  tensor state;  ///< after the last step, [layers * directions, batch, hidden]
};

/// Gated recurrent unit. x is [time, batch, features], the output [time, batch, hidden], or 2 *
/// hidden with both directions side by side. For every step, with gates r, z, n in this order in
/// the weights,
///
///     r, z = sigmoid(x W + b + h V + c)     n = tanh(x W + b + r * (h V + c))
///     h' = (1 - z) * n + z * h
///
/// as PyTorch's nn.GRU (Cho et al. 2014). The features are counted when it is first called. As a
/// layer it gives the outputs; `run` also gives and takes states, as `lstm` does. Throws if x has
/// not three axes, no step, another number of features later or no floats, and for a state that
/// does not fit it.
class gru {
 public:
  explicit gru(std::int64_t hidden, recurrent_options options = {},
               caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return layers_.outputs(x, where);
  }
  gru_result run(const tensor& x, const tensor& first = {}, caller where = caller::current()) const;

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
