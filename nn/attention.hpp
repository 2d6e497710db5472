// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/visitor.hpp"

namespace troupe::nn {

struct attention_options {
  /// What broadcasts to [..., queries, keys]: of bool, whether a query sees a key; of floats, what
  /// is added to their score.
  tensor mask = {};
  bool causal = false;  ///< query i sees the keys 0 to i, of those that the mask leaves
  double dropout = 0;   ///< of the weights; drawn at every call
  std::optional<double> scale = {};  ///< of the scores; absent: 1 / sqrt(features)
};

/// softmax(query @ key^T * scale) @ value: for each query the mean of the values, weighted by how
/// well their keys match it (Vaswani et al. 2017). query is [..., queries, features], key [...,
/// keys, features], value [..., keys, values], gives
/// [..., queries, values]; the axes before broadcast. As PyTorch 2's function of that name: a query
/// that sees no key gives NaN. Throws if sizes differ, for a mask that does not fit, a dropout
/// outside [0, 1] or inputs without floats.
tensor scaled_dot_product_attention(const tensor& query, const tensor& key, const tensor& value,
                                    const attention_options& options = {},
                                    caller where = caller::current());

struct multi_head_attention_options {
  bool causal = false;  ///< step i sees the steps 0 to i only
  double dropout = 0;   ///< of the weights, in training
  bool bias = true;
  std::int64_t head_size = 0;  ///< features of each head; 0: the query's, divided among the heads
  initialiser weight = init::glorot_uniform();
  initialiser first_bias = init::constant(0);
};

/// Attention several times side by side, each head to other features (Vaswani et al. 2017): query,
/// key and value [batch, time, features] are projected to heads * head_size features each, the
/// heads attend, and the output projection gives as many features as the query has: [batch,
/// queries, features]. The features are counted when it is first called.
///
///     nn::multi_head_attention attention(8, {.causal = true});
///     y = attention(x);                    // to itself
///     y = attention(query, key, value);    // to others
class multi_head_attention {
 public:
  /// The weight [inputs, outputs] and bias of a projection.
  struct projection {
    parameter weight, bias;
    bool has_bias = true;

    void members(auto&& each) {
      if (has_bias) each("weight", weight, "bias", bias);
      else each("weight", weight);
    }
  };

  explicit multi_head_attention(std::int64_t heads, multi_head_attention_options options = {},
                                caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const {
    return (*this)(x, x, x, {}, where);
  }
  /// The mask, if there is one, is [queries, keys], or broadcasts to [batch, heads, queries, keys]
  /// and has four axes: `lengths_mask.reshape({batch, 1, 1, keys})` for what pads shorter
  /// sequences. See `attention_options`.
  tensor operator()(const tensor& query, const tensor& key, const tensor& value,
                    const tensor& mask = {}, caller where = caller::current()) const;
  void members(auto&& each) {
    each("query", query, "key", key, "value", value, "output", output, "mode", mode_);
  }

  projection query, key, value, output;

 private:
  tensor heads_of(const tensor& x, const projection& p, std::int64_t head_size, caller where) const;

  std::int64_t heads_;
  multi_head_attention_options options_;
  mode mode_;
};

}  // namespace troupe::nn
