// SPDX-License-Identifier: MIT
#include "troupe/nn/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "troupe/nn/dropout.hpp"
#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/positions.hpp"
#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/linear.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"

namespace troupe::nn {

namespace {

constexpr auto never = -std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(const std::string& facts, caller where) {
  throw error("attention: " + facts, where);
}

std::string text(const tensor& query, const tensor& key, const tensor& value) {
  return "query " + to_string(query.type()) + ", key " + to_string(key.type()) + " and value " +
         to_string(value.type());
}

void check_inputs(const tensor& query, const tensor& key, const tensor& value, caller where) {
  for (const auto& [name, x] : {std::pair("query", &query), {"key", &key}, {"value", &value}}) {
    if (!x->defined()) refuse("the " + std::string(name) + " has no array", where);
    if (!is_floating(x->dtype()) || x->rank() < 2)
      refuse("the " + std::string(name) + " is " + to_string(x->type()) +
                 ", but must have floats and at least 2 axes",
             where);
  }
  if (query.shape()[query.rank() - 1] != key.shape()[key.rank() - 1])
    refuse("features differ: " + text(query, key, value), where);
  if (key.shape()[key.rank() - 2] != value.shape()[value.rank() - 2])
    refuse("the numbers of keys and values differ: " + text(query, key, value), where);
}

void check_mask(const tensor& mask, const tensor& scores, caller where) {
  if (!is_floating(mask.dtype()) && mask.dtype() != boolean)
    refuse("the mask is " + to_string(mask.type()) + ", but must be of bool or floats", where);
  if (const auto both = broadcast(mask.shape(), scores.shape()); !both || *both != scores.shape())
    refuse("the mask is " + to_string(mask.type()) + ", which does not broadcast to the scores " +
               to_string(scores.type()),
           where);
}

/// Returns the causal mask: true if a query sees key j, which comes at its place or before. The
/// first of `queries` is at place `first`.
tensor earlier(std::int64_t first, std::int64_t queries, std::int64_t keys, device place) {
  const tensor_options whole{.dtype = int64, .device = place};
  return greater_equal(expand_dims(arange(first, first + queries, 1, whole), 1),
                       arange(keys, whole));
}

tensor masked(const tensor& scores, const attention_options& options, caller where) {
  tensor mask = options.mask, seen;
  if (mask.defined()) check_mask(mask, scores, where);
  if (options.causal)
    seen = earlier(0, scores.shape()[scores.rank() - 2], scores.shape()[scores.rank() - 1],
                   scores.device());
  if (mask.defined() && mask.dtype() == boolean) {
    seen = seen.defined() ? logical_and(seen, mask) : mask;
    mask = {};
  }
  // Two masks are combined first where that is smaller than the scores.
  if (mask.defined() && seen.defined()) {
    mask = troupe::where(seen, mask, never);
    seen = {};
  }
  if (mask.defined()) return add(scores, astype(mask, scores.dtype(), where));
  return seen.defined() ? troupe::where(seen, scores, never) : scores;
}

}  // namespace

tensor scaled_dot_product_attention(const tensor& query, const tensor& key, const tensor& value,
                                    const attention_options& options, caller where) {
  check_inputs(query, key, value, where);
  const dropout drop(options.dropout, where);
  const use_engine same(query.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  const auto features = static_cast<double>(query.shape()[query.rank() - 1]);
  const double scale = options.scale.value_or(1 / std::sqrt(std::max(1., features)));
  // Scaling the queries touches fewer numbers than scaling the scores.
  const auto scores = matmul(multiply(query, scale), swapaxes(key, -2, -1), where);
  return matmul(drop(softmax(masked(scores, options, where)), where), value, where);
}

multi_head_attention::multi_head_attention(std::int64_t heads, multi_head_attention_options options,
                                           caller where)
    : heads_(heads), options_(std::move(options)) {
  if (heads < 1)
    throw error(
        "multi_head_attention: " + std::to_string(heads) + " heads: there must be one at least",
        where);
  if (options_.head_size < 0)
    throw error("multi_head_attention: heads of " + std::to_string(options_.head_size) +
                    " features: there must be one at least",
                where);
  dropout(options_.dropout, where);  // throws for an invalid rate
  for (auto* p : {&query, &key, &value, &output}) p->has_bias = options_.bias;
}

namespace {

void check_sequences(const tensor& x, caller where) {
  detail::check_layer_input("multi_head_attention", x, 3, where);
  if (x.rank() != 3)
    throw error("multi_head_attention: x is " + to_string(x.type()) +
                    ", but must be [batch, time, features]",
                where);
}

tensor project(const tensor& x, const multi_head_attention::projection& p, std::int64_t outputs,
               const multi_head_attention_options& options, caller where) {
  const auto inputs = x.shape()[x.rank() - 1];
  detail::first_use(p.weight, options.weight, {inputs, outputs}, x, where);
  const auto& expected = p.weight.value().shape();
  if (expected.rank() == 2 && expected[0] != inputs)
    throw error("multi_head_attention: " + std::to_string(expected[0]) +
                    " features expected, but x is " + to_string(x.type()),
                where);
  detail::check_sizes("multi_head_attention", "weight", p.weight, {inputs, outputs}, where);
  const auto weight = p.weight.on(x.device(), where);
  if (!p.has_bias) return matmul(x, weight, where);
  detail::first_use(p.bias, options.first_bias, {outputs}, x, where);
  detail::check_sizes("multi_head_attention", "bias", p.bias, {outputs}, where);
  return linear(x, weight, p.bias.on(x.device(), where), where);
}

}  // namespace

tensor multi_head_attention::heads_of(const tensor& x, const projection& p, std::int64_t head_size,
                                      caller where) const {
  const auto y = project(x, p, heads_ * head_size, options_, where);
  return swapaxes(reshape(y, {x.shape()[0], x.shape()[1], heads_, head_size}), 1, 2);
}

std::int64_t multi_head_attention::head_size_of(const tensor& q, caller where) const {
  const auto features = q.shape()[2];
  const auto size = options_.head_size ? options_.head_size : features / heads_;
  if (options_.head_size == 0 && (features % heads_ != 0 || features == 0))
    throw error("multi_head_attention: " + std::to_string(features) +
                    " features cannot be divided among " + std::to_string(heads_) + " heads",
                where);
  if (options_.rotary && size % 2 != 0)
    throw error(
        "multi_head_attention: rotary positions need an even number of features in each "
        "head, not " +
            std::to_string(size),
        where);
  return size;
}

/// Returns the output [batch, time, features].
tensor multi_head_attention::attend(const heads_input& in, const tensor& mask, bool causal,
                                    std::int64_t features, caller where) const {
  const auto attended = scaled_dot_product_attention(
      in.query, in.key, in.value,
      {.mask = mask, .causal = causal, .dropout = mode_.training ? options_.dropout : 0}, where);
  const auto& sizes = attended.shape();
  const auto joined = reshape(swapaxes(attended, 1, 2), {sizes[0], sizes[2], sizes[1] * sizes[3]});
  return project(joined, output, features, options_, where);
}

tensor multi_head_attention::operator()(const tensor& q, const tensor& k, const tensor& v,
                                        const tensor& mask, caller where) const {
  for (const auto* x : {&q, &k, &v}) check_sequences(*x, where);
  if (mask.defined() && mask.rank() != 2 && mask.rank() != 4)
    throw error(
        "multi_head_attention: the mask is " + to_string(mask.type()) +
            ", but must be [queries, keys] or have four axes, [batch, heads, queries, keys]",
        where);
  if (k.shape()[0] != q.shape()[0] || v.shape()[0] != q.shape()[0])
    throw error("multi_head_attention: query, key and value have different numbers of sequences: " +
                    to_string(q.type()) + ", " + to_string(k.type()) + ", " + to_string(v.type()),
                where);
  const auto head_size = head_size_of(q, where);
  const use_engine same(q.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  heads_input in{heads_of(q, query, head_size, where), heads_of(k, key, head_size, where),
                 heads_of(v, value, head_size, where)};
  if (options_.rotary) {
    in.query = rotary(in.query);
    in.key = rotary(in.key);
  }
  return attend(in, mask, options_.causal, q.shape()[2], where);
}

tensor multi_head_attention::operator()(const tensor& x, attention_cache& cache,
                                        caller where) const {
  check_sequences(x, where);
  if (!options_.causal)
    throw error("multi_head_attention: sequences in parts need {.causal = true}", where);
  const auto head_size = head_size_of(x, where);
  const use_engine same(x.source()->engine);
  const troupe::detail::on_behalf_of user(where);
  heads_input in{heads_of(x, query, head_size, where), heads_of(x, key, head_size, where),
                 heads_of(x, value, head_size, where)};
  if (options_.rotary) {
    in.query = rotary(in.query, {.first = cache.steps()});
    in.key = rotary(in.key, {.first = cache.steps()});
  }
  cache.add(in.key, in.value, where);
  const auto fresh = x.shape()[1], all = cache.keys_.shape()[2];
  tensor seen;
  if (fresh > 1) seen = earlier(all - fresh, fresh, all, x.device());
  return attend({in.query, cache.keys_, cache.values_}, seen, false, x.shape()[2], where);
}

attention_cache::attention_cache(std::int64_t window, caller where) : window_(window) {
  if (window < 0)
    throw error("attention_cache: a negative window " + std::to_string(window), where);
}

void attention_cache::clear() noexcept {
  steps_ = 0;
  keys_ = {};
  values_ = {};
}

void attention_cache::add(const tensor& keys, const tensor& values, caller where) {
  const auto fresh = keys.shape()[2];
  if (!keys_.defined()) {
    keys_ = keys;
    values_ = values;
  } else {
    auto wanted = keys_.type();
    wanted.dims[2] = fresh;
    if (keys.type() != wanted)
      throw error("multi_head_attention: the cache holds " + to_string(keys_.type()) + " on " +
                      to_string(keys_.device()) + ", to which keys of " + to_string(keys.type()) +
                      " on " + to_string(keys.device()) + " cannot be added",
                  where);
    const auto held = keys_.shape()[2];
    const auto stay = window_ == 0 ? held : std::clamp<std::int64_t>(window_ - fresh, 0, held);
    const auto joined = [&](const tensor& before, const tensor& after) {
      return concatenate({slice(before, 2, held - stay, held), after}, 2, where);
    };
    keys_ = joined(keys_, keys);
    values_ = joined(values_, values);
  }
  steps_ += fresh;
}

}  // namespace troupe::nn
