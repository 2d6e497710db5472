// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "troupe/nn/nn.hpp"

namespace troupe::letters {

struct language_sizes {
  std::int64_t alphabet = 0;  ///< letters that there are
  std::int64_t context = 0;   ///< letters that a prediction sees
  std::int64_t width = 0;     ///< numbers for each letter
  std::int64_t heads = 0;     ///< heads of each attention
  std::int64_t blocks = 0;
};

/// Block of a transformer whose norms come first: attention, then two dense layers.
struct transformer_block {
  transformer_block(std::int64_t width, std::int64_t heads);

  tensor operator()(const tensor& x) const;
  /// Computes the same for the next steps of sequences.
  tensor operator()(const tensor& x, nn::attention_cache& cache) const;
  void members(auto&& each) {
    each("before_attention", before_attention, "attention", attention, "before_layers",
         before_layers, "layers", layers);
  }

  nn::layer_norm before_attention, before_layers;
  nn::multi_head_attention attention;
  nn::sequential layers;
};

/// Character-level transformer: predicts the letter that follows a text. Texts are letters'
/// numbers, int64 [batch, time], of `context` letters at most.
class language_model {
 public:
  explicit language_model(const language_sizes& sizes);

  /// Returns logits for the letter after each one, [batch, time, alphabet].
  tensor operator()(const tensor& text) const;
  /// Returns those for the letter after the last one, [batch, 1, alphabet].
  tensor next(const tensor& text) const;

  /// Attention of the text so far, a cache for each block.
  using memory = std::vector<nn::attention_cache>;
  memory new_memory() const { return memory(blocks_.size()); }
  /// Returns the same for a text that goes on: its earlier letters are in the memory.
  tensor next(const tensor& text, memory& so_far) const;

  void members(auto&& each) {
    each("letter", letter_, "place", place_, "blocks", blocks_, "norm", norm_, "out", out_);
  }

 private:
  tensor embedded(const tensor& text, std::int64_t first) const;
  tensor logits_of_last(const tensor& x) const;

  nn::embedding letter_, place_;
  std::vector<transformer_block> blocks_;
  nn::layer_norm norm_;
  nn::dense out_;
};

}  // namespace troupe::letters
