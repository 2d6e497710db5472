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
/// as in PyTorch's nn.GRU (Cho et al. 2014). The number of features is learnt at the first call. As
/// a layer it returns the outputs; `run` also takes and returns states, as for `lstm`. Throws if x
/// does not have three axes, has no step, later another number of features, or is not
/// floating-point, and for a state that does not fit it.
class gru {
 public:
  explicit gru(std::int64_t hidden, recurrent_options options = {},
               caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return layers_.outputs(x, where);
  }
  gru_result run(const tensor& x, const tensor& first = {}, caller where = caller::current()) const;

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
