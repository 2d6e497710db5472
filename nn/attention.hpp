// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/visitor.hpp"

namespace troupe::nn {

struct attention_options {
  /// Mask that broadcasts to [..., queries, keys]: bool, true if a query sees a key; or floats to
  /// add to the scores.
  tensor mask = {};
  bool causal = false;  ///< query i sees only keys 0 to i, among those that the mask allows
  double dropout = 0;   ///< dropout rate of the weights; drawn at every call
  std::optional<double> scale = {};  ///< factor of the scores; absent: 1 / sqrt(features)
};

/// Computes softmax(query @ key^T * scale) @ value: for each query the mean of the values, weighted
/// by how well their keys match it (Vaswani et al. 2017). query is [..., queries, features], key
/// [..., keys, features], value [..., keys, values], the result [..., queries, values]; leading
/// axes broadcast. Follows PyTorch 2's function of that name: a query that sees no key gives NaN.
/// Throws if sizes differ, for a mask that does not fit, a dropout outside [0, 1] or inputs that
/// are not floating-point.
tensor scaled_dot_product_attention(const tensor& query, const tensor& key, const tensor& value,
                                    const attention_options& options = {},
                                    caller where = caller::current());

/// Keys and values of the steps that a `multi_head_attention` has seen, for sequences that are
/// given to it in parts: of one layer, which a network with several has several of.
class attention_cache {
 public:
  /// Prepares an empty one. When steps are added, of those before them only so many stay that they
  /// are `window` together; 0: all stay. Throws for a negative window.
  explicit attention_cache(std::int64_t window = 0, caller where = caller::current());

  /// Returns the number of steps seen, including those that have not stayed.
  std::int64_t steps() const noexcept { return steps_; }
  /// Forgets all steps.
  void clear() noexcept;

 private:
  friend class multi_head_attention;

  void add(const tensor& keys, const tensor& values, caller where);

  std::int64_t window_;
  std::int64_t steps_ = 0;
  tensor keys_, values_;  ///< [batch, heads, steps that stay, size]
};

struct multi_head_attention_options {
  bool causal = false;  ///< step i sees only steps 0 to i
  bool rotary = false;  ///< queries and keys are turned by their positions, see `nn::rotary`
  double dropout = 0;   ///< dropout rate of the weights, in training
  bool bias = true;
  std::int64_t head_size = 0;  ///< features of each head; 0: the query's, divided among the heads
  initialiser weight = init::glorot_uniform();
  initialiser first_bias = init::constant(0);
};

/// Several attention heads side by side, each over other features (Vaswani et al. 2017): query, key
/// and value [batch, time, features] are projected to heads * head_size features each, the heads
/// attend, and the output projection restores the query's number of features: [batch, queries,
/// features]. The number of features is learnt at the first call.
///
///     nn::multi_head_attention attention(8, {.causal = true});
///     y = attention(x);                    // self-attention
///     y = attention(query, key, value);    // cross-attention
class multi_head_attention {
 public:
  /// Weight [inputs, outputs] and bias of a projection.
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
  /// Computes the attention. The mask, if given, is [queries, keys], or has four axes and
  /// broadcasts to [batch, heads, queries, keys]: `lengths_mask.reshape({batch, 1, 1, keys})` masks
  /// the padding of shorter sequences. See `attention_options`.
  tensor operator()(const tensor& query, const tensor& key, const tensor& value,
                    const tensor& mask = {}, caller where = caller::current()) const;
  /// Computes the self-attention of the next steps x [batch, time, features] of sequences whose
  /// earlier steps are in the cache, and adds them to it: what the layer returns for these steps of
  /// the whole sequences, up to rounding, if all steps have stayed. Throws unless the layer is
  /// causal, and if the cache holds steps of another layer's or batch's sizes.
  tensor operator()(const tensor& x, attention_cache& cache,
                    caller where = caller::current()) const;
  void members(auto&& each) {
    each("query", query, "key", key, "value", value, "output", output, "mode", mode_);
  }

  projection query, key, value, output;

 private:
  /// Queries, keys and values of the heads, [batch, heads, time, size].
  struct heads_input {
    tensor query, key, value;
  };

  std::int64_t head_size_of(const tensor& q, caller where) const;
  tensor attend(const heads_input& in, const tensor& mask, bool causal, std::int64_t features,
                caller where) const;
  tensor heads_of(const tensor& x, const projection& p, std::int64_t head_size, caller where) const;

  std::int64_t heads_;
  multi_head_attention_options options_;
  mode mode_;
};

}  // namespace troupe::nn
