// SPDX-License-Identifier: MIT
#include "troupe/nn/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "troupe/nn/initialiser.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/ops/choices.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/ops/sorting.hpp"

namespace troupe::nn {

namespace {

void check_sampling(const tensor& logits, const sampling_options& o, caller where) {
  constexpr auto who = "sample_tokens";
  detail::check_layer_input(who, logits, 1, where);
  const auto refuse = [&](const std::string& facts) {
    throw error(std::string(who) + ": " + facts, where);
  };
  if (logits.shape()[logits.rank() - 1] == 0)
    refuse("there are no tokens: the logits are " + to_string(logits.type()));
  if (!(o.temperature >= 0) || std::isinf(o.temperature))
    refuse("the temperature is " + real_text(o.temperature) + " and must be 0 or more");
  if (o.top_k < 0) refuse("top_k is " + std::to_string(o.top_k) + " and must be 0 or more");
  if (!(o.top_p > 0 && o.top_p <= 1))
    refuse("top_p is " + real_text(o.top_p) + " and must be above 0 and at most 1");
}

}  // namespace

tensor sample_tokens(const tensor& logits, const sampling_options& options, caller where) {
  check_sampling(logits, options, where);
  const no_grad constants;
  const use_engine same(logits.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  const random_options random{.key = options.key};
  if (options.temperature == 0) return argmax(logits, -1);
  const auto scaled = divide(astype(logits, computed(logits.dtype())), options.temperature);
  const auto tokens = logits.shape()[logits.rank() - 1];
  const auto most = options.top_k == 0 ? tokens : std::min(options.top_k, tokens);
  // The places of tokens, or one beyond them where there is none to choose: that fails.
  const auto unless_none = [&](const tensor& chosen) {
    const auto some = greater(max(scaled, -1), -std::numeric_limits<double>::infinity());
    const auto all = arange(0, tokens, 1, {.dtype = int64, .device = logits.device()});
    return take(all, troupe::where(some, chosen, tokens));
  };
  if (most == tokens && options.top_p == 1)
    return unless_none(categorical(scaled, -1, weights_as::logarithms, {}, random));
  auto [best, places] = topk(scaled, most, -1);
  if (options.top_p < 1) {
    const auto p = softmax(best, -1);
    // The first token stays, whatever its probability is.
    const auto likelier = subtract(cumsum(p, -1), p);
    best = troupe::where(less(likelier, options.top_p), best,
                         -std::numeric_limits<double>::infinity());
  }
  const auto chosen = categorical(best, -1, weights_as::logarithms, {}, random);
  return unless_none(squeeze(take_along_axis(places, expand_dims(chosen, -1), -1), -1));
}

}  // namespace troupe::nn
