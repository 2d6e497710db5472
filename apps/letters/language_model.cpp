// SPDX-License-Identifier: MIT
#include "troupe/apps/letters/language_model.hpp"

#include "troupe/troupe.hpp"

namespace troupe::letters {

transformer_block::transformer_block(std::int64_t width, std::int64_t heads)
    : attention(heads, {.causal = true}), layers{nn::dense(4 * width, relu), nn::dense(width)} {}

tensor transformer_block::operator()(const tensor& x) const {
  const auto attended = x + attention(before_attention(x));
  return attended + layers(before_layers(attended));
}

tensor transformer_block::operator()(const tensor& x, nn::attention_cache& cache) const {
  const auto attended = x + attention(before_attention(x), cache);
  return attended + layers(before_layers(attended));
}

language_model::language_model(const language_sizes& sizes)
    : letter_(sizes.alphabet, sizes.width),
      place_(sizes.context, sizes.width),
      out_(sizes.alphabet) {
  // Copies of one block would share its weights.
  for (std::int64_t i = 0; i < sizes.blocks; ++i) blocks_.emplace_back(sizes.width, sizes.heads);
}

tensor language_model::embedded(const tensor& text, std::int64_t first) const {
  const auto places = arange(first, first + text.shape()[1], 1, {.device = text.device()});
  return letter_(text) + place_(places);
}

tensor language_model::logits_of_last(const tensor& x) const {
  const auto time = x.shape()[1];
  return out_(norm_(x.slice(1, time - 1, time)));
}

tensor language_model::operator()(const tensor& text) const {
  auto x = embedded(text, 0);
  for (const auto& block : blocks_) x = block(x);
  return out_(norm_(x));
}

tensor language_model::next(const tensor& text) const {
  auto x = embedded(text, 0);
  for (const auto& block : blocks_) x = block(x);
  return logits_of_last(x);
}

tensor language_model::next(const tensor& text, memory& so_far) const {
  auto x = embedded(text, so_far.front().steps());
  for (std::size_t i = 0; i < blocks_.size(); ++i) x = blocks_[i](x, so_far[i]);
  return logits_of_last(x);
}

}  // namespace troupe::letters
