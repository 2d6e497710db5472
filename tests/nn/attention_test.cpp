// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "troupe/actors/runtime.hpp"
#include "troupe/nn/attention.hpp"
#include "troupe/nn/dense.hpp"
#include "troupe/nn/sequential.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"
#include "troupe/tests/nn/trained.hpp"

namespace troupe::testing {

namespace {

using doubles = std::vector<double>;
constexpr auto never = -std::numeric_limits<double>::infinity();

/// Computes attention of one head: q [queries, features], k [keys, features], v [keys, values], and
/// an addend of the scores.
doubles plain_attention(const doubles& q, const doubles& k, const doubles& v, std::size_t queries,
                        std::size_t keys, const doubles& added, double scale) {
  const auto features = q.size() / queries, values = v.size() / keys;
  doubles out(queries * values);
  for (std::size_t i = 0; i < queries; ++i) {
    doubles weight(keys);
    double total = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      double score = 0;
      for (std::size_t f = 0; f < features; ++f) score += q[i * features + f] * k[j * features + f];
      total += weight[j] = std::exp(score * scale + added[i * keys + j]);
    }
    for (std::size_t j = 0; j < keys; ++j) {
      for (std::size_t f = 0; f < values; ++f)
        out[i * values + f] += weight[j] / total * v[j * values + f];
    }
  }
  return out;
}

doubles slice_of(const doubles& all, std::size_t number, std::size_t size) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(number * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

tensor attend(const tensor& q, const tensor& k, const tensor& v,
              const nn::attention_options& o = {}) {
  return nn::scaled_dot_product_attention(q, k, v, o);
}

}  // namespace

TEST_CASE("attention is the mean of the values, weighted by how well keys match the query") {
  test_engine e;
  constexpr std::size_t queries = 3, keys = 5;
  const auto q = spread({2, 3, 4}), k = spread({2, 5, 4}, 1), v = spread({2, 5, 6}, 2);
  const auto added = spread({3, 5}, 3);
  tensor seen = added > -1.;
  doubles hidden = numbers(seen), causal(queries * keys), both;
  for (std::size_t i = 0; i < queries * keys; ++i) {
    hidden[i] = hidden[i] != 0 ? 0 : never;
    causal[i] = i % keys <= i / keys ? 0 : never;
    both.push_back(numbers(added)[i] + causal[i]);
  }
  const auto check = [&](const nn::attention_options& o, const doubles& plus, double scale) {
    const auto y = attend(q, k, v, o);
    CHECK(y.shape() == shape{2, 3, 6});
    doubles want;
    for (std::size_t b = 0; b < 2; ++b) {
      for (const double x :
           plain_attention(slice_of(numbers(q), b, 12), slice_of(numbers(k), b, 20),
                           slice_of(numbers(v), b, 30), queries, keys, plus, scale))
        want.push_back(x);
    }
    check_near(y, want);
  };
  check({}, doubles(queries * keys), 0.5);
  check({.scale = 2}, doubles(queries * keys), 2);
  check({.mask = added}, numbers(added), 0.5);
  check({.mask = seen}, hidden, 0.5);
  check({.causal = true}, causal, 0.5);
  check({.mask = added, .causal = true}, both, 0.5);
  seen = tensor{{true, false, true, true, true}};
  for (std::size_t i = 0; i < queries; ++i) causal[i * keys + 1] = never;
  check({.mask = seen, .causal = true}, causal, 0.5);
}

TEST_CASE("a query that sees no key gives NaN, and the others are unchanged") {
  test_engine e;
  const auto x = spread({2, 4});
  const auto y = numbers(attend(x, x, x, {.mask = tensor{{true, true}, {false, false}}}));
  const auto whole = numbers(attend(x, x, x));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(y[i] == whole[i]);
    CHECK(std::isnan(y[4 + i]));
  }
}

TEST_CASE("the gradients of attention agree with finite differences") {
  test_engine e;
  const auto q = spread({2, 3, 4}), k = spread({2, 5, 4}, 1), v = spread({2, 5, 2}, 2),
             added = spread({3, 5}, 3);
  check_gradients(
      [](const std::vector<tensor>& t) {
        return attend(t[0], t[1], t[2], {.mask = t[3], .causal = true});
      },
      {q, k, v, added});
  const tensor seen = added > -1.;
  check_gradients(
      [&](const std::vector<tensor>& t) { return attend(t[0], t[1], t[2], {.mask = seen}); },
      {q, k, v});
}

TEST_CASE("dropout of attention drops weights, and keeps their mean") {
  test_engine e;
  const auto values = ones({2000, 1}, float64);
  const auto y =
      attend(zeros({1, 1}, float64), zeros({2000, 1}, float64), values, {.dropout = 0.25});
  CHECK(y.item<double>() != 1);
  CHECK(std::abs(y.item<double>() - 1) < 0.05);
}

namespace {

/// Projects x [rows, inputs].
doubles plain_projection(const doubles& x, const nn::multi_head_attention::projection& p) {
  const auto w = numbers(p.weight), b = numbers(p.bias);
  const auto outputs = b.size(), inputs = w.size() / outputs, rows = x.size() / inputs;
  doubles y(rows * outputs);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t j = 0; j < outputs; ++j) {
      y[r * outputs + j] = b[j];
      for (std::size_t i = 0; i < inputs; ++i)
        y[r * outputs + j] += x[r * inputs + i] * w[i * outputs + j];
    }
  }
  return y;
}

/// Returns the features of one head of [time, heads * size].
doubles head(const doubles& x, std::size_t time, std::size_t heads, std::size_t number) {
  const auto size = x.size() / time / heads;
  doubles out;
  for (std::size_t t = 0; t < time; ++t) {
    for (std::size_t f = 0; f < size; ++f) out.push_back(x[(t * heads + number) * size + f]);
  }
  return out;
}

}  // namespace

TEST_CASE("every head of an attention layer attends to its own features") {
  test_engine e;
  for (const std::int64_t head_size : {0, 5}) {
    nn::multi_head_attention net(2,
                                 {.head_size = head_size, .first_bias = nn::init::uniform(-1, 1)});
    const auto q = spread({3, 4, 6}), k = spread({3, 5, 7}, 1), v = spread({3, 5, 8}, 2);
    const auto y = net(q, k, v);
    CHECK(y.shape() == q.shape());
    const auto size = head_size ? static_cast<std::size_t>(head_size) : 3u;
    doubles want;
    for (std::size_t b = 0; b < 3; ++b) {
      const auto pq = plain_projection(slice_of(numbers(q), b, 24), net.query),
                 pk = plain_projection(slice_of(numbers(k), b, 35), net.key),
                 pv = plain_projection(slice_of(numbers(v), b, 40), net.value);
      doubles joined(4 * 2 * size);
      for (std::size_t h = 0; h < 2; ++h) {
        const auto one = plain_attention(head(pq, 4, 2, h), head(pk, 5, 2, h), head(pv, 5, 2, h), 4,
                                         5, doubles(20), 1 / std::sqrt(static_cast<double>(size)));
        for (std::size_t i = 0; i < one.size(); ++i)
          joined[(i / size * 2 + h) * size + i % size] = one[i];
      }
      for (const double x : plain_projection(joined, net.output)) want.push_back(x);
    }
    check_near(y, want);
  }
}

TEST_CASE("in a causal layer no step changes the output of an earlier one") {
  test_engine e;
  nn::multi_head_attention net(2, {.causal = true});
  const auto x = spread({1, 5, 4}), other = spread({1, 2, 4}, 9);
  const auto y = numbers(net(x));
  const auto z = numbers(net(concatenate({x(every, range{0, 3}), other}, 1)));
  for (std::size_t i = 0; i < 12; ++i) CHECK(near(z[i], y[i], 1e-14));
  CHECK(z != y);
}

TEST_CASE("a padding mask hides the padding of shorter sequences from every query") {
  test_engine e;
  nn::multi_head_attention net(2);
  const auto x = spread({2, 3, 4});
  const tensor there = tensor{{true, true, false}, {true, true, true}}.reshape({2, 1, 1, 3});
  const auto y = net(x, x, x, there);
  const auto shorter = x(range{0, 1}, range{0, 2});
  check_near(y(0, range{0, 2}), numbers(net(shorter)));
  check_near(y[1], slice_of(numbers(net(x)), 1, 12));
}

TEST_CASE("the gradients of an attention layer agree with finite differences") {
  test_engine e;
  nn::multi_head_attention net(2, {.causal = true});
  const auto x = spread({2, 3, 4});
  net(x);
  check_gradients([&](const std::vector<tensor>& t) { return net(t[0]); }, {x});
  check_gradients([&](const std::vector<tensor>& t) { return net(t[0], t[1], t[1]); },
                  {x, spread({2, 3, 4}, 1)});
  check_parameter_gradients(net, [&] { return net(x); });
}

TEST_CASE("an attention layer has four projections, and drops nothing in evaluation") {
  test_engine e;
  nn::multi_head_attention net(2, {.dropout = 0.5}), bare(2, {.bias = false});
  const auto x = spread({2, 3, 4});
  CHECK(nn::parameters(net).size() == 8);
  CHECK(nn::parameters(bare).size() == 4);
  CHECK(numbers(net(x)) != numbers(net(x)));
  nn::eval(net);
  CHECK(numbers(net(x)) == numbers(net(x)));
}

namespace {

/// Layer of a transformer, without the norms.
struct transformer_layer {
  nn::multi_head_attention attention;
  nn::sequential feed_forward{nn::dense(32, relu), nn::dense(8)};

  tensor operator()(const tensor& x) const {
    const auto y = x + attention(x);
    return y + feed_forward(y);
  }
};

/// Trains two of them for some steps.
std::vector<float> trained(const runtime_options& options) {
  runtime rt(options);
  rt.seed(3);
  nn::sequential net{
      transformer_layer{nn::multi_head_attention(2, {.causal = true, .dropout = 0.1})},
      transformer_layer{nn::multi_head_attention(4)}};
  return descended(
      0.1,
      [&] {
        return mean(square(net(normal({5, 7, 8}))));
      },
      [&] { return nn::parameters(net); });
}

}  // namespace

TEST_CASE("a transformer trains to the same weights on any number of lanes") {
  CHECK(trained({.synchronous = true}).size() == 2 * (4 * 72 + 8 * 32 + 32 + 32 * 8 + 8));
  check_same_on_any_lanes(trained);
}

TEST_CASE("inputs that do not fit attention are refused in one line") {
  test_engine e;
  const auto x = ones({2, 3, 4});
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(tensor(), x, x)) ==
        "attention: the query has no array");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, x, ones({3}))) ==
        "attention: the value is float32[3], but must have floats and at least 2 axes");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, ones({2, 3, 4}, int64), x)) ==
        "attention: the key is int64[2,3,4], but must have floats and at least 2 axes");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, ones({2, 3, 5}), x)) ==
        "attention: features differ: query float32[2,3,4], key float32[2,3,5] and value "
        "float32[2,3,4]");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, x, ones({2, 6, 4}))) ==
        "attention: the numbers of keys and values differ: query float32[2,3,4], key "
        "float32[2,3,4] and value float32[2,6,4]");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, x, x, {.mask = ones({3, 3}, int32)})) ==
        "attention: the mask is int32[3,3], but must be of bool or floats");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, x, x, {.mask = ones({2, 3})})) ==
        "attention: the mask is float32[2,3], which does not broadcast to the scores "
        "float32[2,3,3]");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, x, x, {.mask = ones({5, 2, 3, 3})})) ==
        "attention: the mask is float32[5,2,3,3], which does not broadcast to the scores "
        "float32[2,3,3]");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, x, x, {.dropout = -1})) ==
        "dropout: a rate of -1 is not between 0 and 1");
  CHECK(TROUPE_ERROR_OF(nn::scaled_dot_product_attention(x, ones({5, 3, 4}), x))
            .find("matmul: batch axes do not broadcast") == 0);
}

TEST_CASE("inputs that do not fit an attention layer are refused in one line") {
  test_engine e;
  const auto x = ones({2, 3, 4});
  nn::multi_head_attention net(2);
  CHECK(TROUPE_ERROR_OF(nn::multi_head_attention(0)) ==
        "multi_head_attention: 0 heads: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::multi_head_attention(2, {.head_size = -1})) ==
        "multi_head_attention: heads of -1 features: there must be one at least");
  CHECK(TROUPE_ERROR_OF(nn::multi_head_attention(2, {.dropout = 2})) ==
        "dropout: a rate of 2 is not between 0 and 1");
  CHECK(TROUPE_ERROR_OF(net(ones({2, 3, 5}))) ==
        "multi_head_attention: 5 features cannot be divided among 2 heads");
  CHECK(TROUPE_ERROR_OF(net(ones({3, 4}))) ==
        "multi_head_attention: x is float32[3,4], but must have at least 3 axes");
  CHECK(TROUPE_ERROR_OF(net(ones({1, 2, 3, 4}))) ==
        "multi_head_attention: x is float32[1,2,3,4], but must be [batch, time, features]");
  net(x);
  CHECK(TROUPE_ERROR_OF(net(ones({2, 3, 6}))) ==
        "multi_head_attention: 4 features expected, but x is float32[2,3,6]");
  CHECK(TROUPE_ERROR_OF(net(ones({1, 3, 4}), x, x)) ==
        "multi_head_attention: query, key and value have different numbers of sequences: "
        "float32[1,3,4], float32[2,3,4], float32[2,3,4]");
  CHECK(type_text(net(x, x, x, zeros({3, 3}, float64))) == "float32[2,3,4]");
  CHECK(TROUPE_ERROR_OF(net(x, x, x, ones({2, 3, 3}))) ==
        "multi_head_attention: the mask is float32[2,3,3], but must be [queries, keys] or have "
        "four axes, [batch, heads, queries, keys]");
}

}  // namespace troupe::testing
