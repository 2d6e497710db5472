// SPDX-License-Identifier: MIT
#include "troupe/nn/batch_norm.hpp"
#include "troupe/nn/layer_norm.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

struct channel {
  double mean = 0, variance = 0;
  std::int64_t count = 0;
};

/// Array [n, channels, inner] for plain loops.
struct array3 {
  list x;
  std::int64_t n, channels, inner;

  explicit array3(const tensor& t)
      : x(numbers(t)), n(t.shape()[0]), channels(t.shape()[1]), inner(1) {
    for (int i = 2; i < t.rank(); ++i) inner *= t.shape()[i];
  }

  double& at(std::int64_t i, std::int64_t c, std::int64_t j) {
    return x[static_cast<std::size_t>((i * channels + c) * inner + j)];
  }
  std::vector<channel> statistics() {
    std::vector<channel> out(static_cast<std::size_t>(channels));
    for (std::int64_t c = 0; c < channels; ++c) {
      auto& s = out[static_cast<std::size_t>(c)];
      s.count = n * inner;
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < inner; ++j)
          s.mean += at(i, c, j) / static_cast<double>(s.count);
      }
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < inner; ++j)
          s.variance += std::pow(at(i, c, j) - s.mean, 2) / static_cast<double>(s.count);
      }
    }
    return out;
  }
  list normalised(const std::vector<channel>& by, double epsilon, const list& weight,
                  const list& bias) {
    auto out = *this;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t j = 0; j < inner; ++j) {
          const auto k = static_cast<std::size_t>(c);
          out.at(i, c, j) = (at(i, c, j) - by[k].mean) / std::sqrt(by[k].variance + epsilon);
          if (!weight.empty()) out.at(i, c, j) = out.at(i, c, j) * weight[k] + bias[k];
        }
      }
    }
    return out.x;
  }
};

tensor in_float64(const list& values) {
  return from_data(values, {static_cast<std::int64_t>(values.size())});
}

}  // namespace

TEST_CASE("batch_norm in training normalises each channel by the statistics of the batch") {
  test_engine e;
  for (const auto& sizes : {shape{6, 3}, shape{4, 3, 5}, shape{2, 3, 2, 4}}) {
    nn::batch_norm layer({.epsilon = 1e-3});
    const auto x = spread(sizes);
    array3 plain(x);
    const auto statistics = plain.statistics();
    check_near(numbers(layer(x)), plain.normalised(statistics, 1e-3, {}, {}));
    layer.weight.assign(in_float64({1, 2, -3}));
    layer.bias.assign(in_float64({0.5, 0, 7}));
    check_near(numbers(layer(x)), plain.normalised(statistics, 1e-3, {1, 2, -3}, {0.5, 0, 7}));
  }
}

TEST_CASE(
    "batch_norm gathers the mean and the unbiased variance, and uses them when not training") {
  test_engine e;
  nn::batch_norm layer({.momentum = 0.25});
  std::vector<channel> running(3, {0, 1, 0});
  for (int step = 0; step < 4; ++step) {
    const auto x = spread({5, 3, 2}, step) * (step + 1.) + step;
    auto batch = array3(x).statistics();
    layer(x);
    list means, variances;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto n = static_cast<double>(batch[c].count);
      running[c].mean = 0.75 * running[c].mean + 0.25 * batch[c].mean;
      running[c].variance = 0.75 * running[c].variance + 0.25 * batch[c].variance * n / (n - 1);
      means.push_back(running[c].mean);
      variances.push_back(running[c].variance);
    }
    check_near(numbers(layer.running_mean), means);
    check_near(numbers(layer.running_var), variances);
  }
  nn::eval(layer);
  const auto x = spread({1, 3}, 9);
  check_near(numbers(layer(x)), array3(x).normalised(running, 1e-5, {}, {}));
  const auto kept = numbers(layer.running_mean);
  layer(spread({8, 3}));
  CHECK(numbers(layer.running_mean) == kept);
}

TEST_CASE("layer_norm keeps the digits of numbers that are far from 0") {
  test_engine e;
  const nn::layer_norm layer(1, {.affine = false});
  const auto near = astype(tensor{0., 1., 2.}, float32);
  check_near(numbers(layer(near + 1e6F)), numbers(layer(near)), 1e-6);
}

TEST_CASE("batch_norm refuses statistics that do not fit each other") {
  test_engine e;
  nn::batch_norm layer;
  layer.running_mean.assign(zeros({3}));
  layer.running_var.assign(ones({5}));
  CHECK(TROUPE_ERROR_OF(layer(spread({4, 3}))) ==
        "batch_norm: running_var is [5], but running_mean is [3]");
}

TEST_CASE("an untrained batch_norm leaves its input nearly unchanged") {
  test_engine e;
  nn::batch_norm layer;
  nn::eval(layer);
  const auto x = spread({2, 3});
  check_near(numbers(layer(x)), numbers(x), 1e-5);
}

TEST_CASE("the gradients of batch_norm agree with finite differences in training and evaluation") {
  test_engine e;
  for (const bool training : {true, false}) {
    nn::batch_norm layer({.epsilon = 1e-2});
    layer(spread({4, 2, 3}, 1));
    nn::train(layer, training);
    const auto f = [&](const std::vector<tensor>& in) {
      auto l = layer;
      l.weight = nn::parameter();
      l.bias = nn::parameter();
      return l(in[0]);
    };
    check_gradients(f, {spread({4, 2, 3})});
    nn::batch_norm with = layer;
    with.weight.assign(in_float64({1.5, -2}));
    with.bias.assign(in_float64({0.5, 1}));
    check_gradients([&](const auto& in) { return with(in[0]); }, {spread({4, 2, 3})});
  }
}

TEST_CASE("batch_norm has gradients for its weight and bias") {
  test_engine e;
  nn::batch_norm layer({.epsilon = 0});
  const auto x = spread({4, 2, 3});
  {
    const recording on;
    const auto y = layer(x);
    sum(y * spread({4, 2, 3}, 5)).backward();
  }
  array3 z(x), g(spread({4, 2, 3}, 5));
  z.x = z.normalised(z.statistics(), 0, {}, {});
  list along(2), total(2);
  for (std::int64_t i = 0; i < 4; ++i) {
    for (std::int64_t c = 0; c < 2; ++c) {
      for (std::int64_t j = 0; j < 3; ++j) {
        along[static_cast<std::size_t>(c)] += g.at(i, c, j) * z.at(i, c, j);
        total[static_cast<std::size_t>(c)] += g.at(i, c, j);
      }
    }
  }
  check_near(numbers(layer.weight.grad()), along, 1e-10);
  check_near(numbers(layer.bias.grad()), total, 1e-10);
}

TEST_CASE("batch_norm without weight and bias has no parameters") {
  test_engine e;
  nn::batch_norm layer({.affine = false});
  CHECK(nn::parameters(layer).empty());
  array3 plain(spread({3, 2}));
  check_near(numbers(layer(spread({3, 2}))), plain.normalised(plain.statistics(), 1e-5, {}, {}));
  check_gradients([&](const auto& in) { return layer(in[0]); }, {spread({5, 2})});
}

TEST_CASE("second derivatives of batch_norm account for statistics that depend on x") {
  test_engine e;
  nn::batch_norm layer({.epsilon = 1e-2});
  const auto slope = [&](const tensor& x) {
    return grad([&](const tensor& t) { return sum(layer(t) * layer(t) * spread({4, 2}, 7)); })(x);
  };
  check_gradients([&](const auto& in) { return slope(in[0]); }, {spread({4, 2})}, 1e-5);
}

TEST_CASE("batch_norm works on the device of x; its parameters stay on theirs") {
  test_engine e;
  nn::batch_norm layer;
  const auto x = spread({4, 3});
  const auto here = numbers(layer(x));
  const auto there = layer(x.to(cpu(1)));
  CHECK(there.device() == cpu(1));
  CHECK(numbers(there) == here);
  CHECK(layer.running_mean.value().device() == cpu(0));
  CHECK(layer.weight.value().device() == cpu(0));
}

TEST_CASE("batch_norm refuses inputs it cannot normalise") {
  test_engine e;
  nn::batch_norm layer;
  layer(spread({4, 3}));
  CHECK(TROUPE_ERROR_OF(layer(spread({4, 2}))) ==
        "batch_norm: [3] channels expected, but x is float64[4,2]");
  CHECK(TROUPE_ERROR_OF(layer(spread({4}))) ==
        "batch_norm: x is float64[4], but must have at least 2 axes");
  CHECK(TROUPE_ERROR_OF(layer(spread({1, 3}))) ==
        "batch_norm: training takes 2 values for each channel at least, but x is float64[1,3]");
  CHECK(TROUPE_ERROR_OF(layer(spread({0, 3}))) ==
        "batch_norm: training takes 2 values for each channel at least, but x is float64[0,3]");
  CHECK(TROUPE_ERROR_OF(layer(tensor{{1, 2}})) ==
        "batch_norm: x is int64[1,2], but must have floats");
  CHECK(TROUPE_ERROR_OF(layer({})) == "batch_norm: x is a tensor without an array");
  CHECK(TROUPE_ERROR_OF(nn::batch_norm({.momentum = 1.5})) ==
        "batch_norm: a momentum of 1.5 is not between 0 and 1");
  CHECK(TROUPE_ERROR_OF(nn::batch_norm({.epsilon = -1})) == "batch_norm: a negative epsilon -1");
  nn::eval(layer);
  CHECK(layer(spread({1, 3})).shape() == shape{1, 3});
  CHECK(layer(spread({0, 3})).shape() == shape{0, 3});
}

TEST_CASE("layer_norm normalises each sample over its last axes") {
  test_engine e;
  const auto x = spread({3, 2, 4});
  for (const int axes : {1, 2}) {
    nn::layer_norm layer(axes, {.epsilon = 1e-3});
    const auto y = numbers(layer(x));
    const auto in = numbers(x);
    const std::size_t n = axes == 1 ? 4 : 8;
    list want;
    for (std::size_t row = 0; row < in.size(); row += n) {
      double mean = 0, variance = 0;
      for (std::size_t i = 0; i < n; ++i) mean += in[row + i] / static_cast<double>(n);
      for (std::size_t i = 0; i < n; ++i)
        variance += std::pow(in[row + i] - mean, 2) / static_cast<double>(n);
      for (std::size_t i = 0; i < n; ++i)
        want.push_back((in[row + i] - mean) / std::sqrt(variance + 1e-3));
    }
    check_near(y, want);
    CHECK(layer.weight.value().shape() == (axes == 1 ? shape{4} : shape{2, 4}));
    layer.weight.assign(spread(layer.weight.value().shape(), 1));
    layer.bias.assign(spread(layer.bias.value().shape(), 2));
    const auto w = numbers(layer.weight), b = numbers(layer.bias);
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = want[i] * w[i % n] + b[i % n];
    check_near(numbers(layer(x)), want);
  }
}

TEST_CASE("the gradients of layer_norm by x, weight and bias agree with finite differences") {
  test_engine e;
  for (const int axes : {1, 2}) {
    const shape sizes = axes == 1 ? shape{4} : shape{2, 4};
    check_gradients(
        [&](const std::vector<tensor>& in) {
          nn::layer_norm layer(axes, {.epsilon = 1e-2, .affine = false});
          return layer(in[0]) * in[1] + in[2];
        },
        {spread({3, 2, 4}), spread(sizes, 1), spread(sizes, 2)});
    nn::layer_norm layer(axes, {.epsilon = 1e-2});
    layer(spread({1, 2, 4}));
    layer.weight.assign(spread(sizes, 1));
    layer.bias.assign(spread(sizes, 2));
    check_gradients([&](const auto& in) { return layer(in[0]); }, {spread({3, 2, 4})});
    layer.weight.zero_grad();
    layer.bias.zero_grad();
    const auto g = spread({3, 2, 4}, 5);
    {
      const recording on;
      sum(layer(spread({3, 2, 4})) * g).backward();
    }
    nn::layer_norm plain(axes, {.epsilon = 1e-2, .affine = false});
    const auto z = plain(spread({3, 2, 4}));
    const troupe::axes others = axes == 1 ? troupe::axes({0, 1}) : troupe::axes(0);
    check_near(numbers(layer.weight.grad()), numbers(sum(g * z, others)), 1e-10);
    check_near(numbers(layer.bias.grad()), numbers(sum(g, others)), 1e-10);
  }
}

TEST_CASE("second derivatives of layer_norm agree with finite differences") {
  test_engine e;
  nn::layer_norm layer(1, {.epsilon = 1e-2, .affine = false});
  const auto slope = [&](const tensor& x) {
    return grad([&](const tensor& t) { return sum(layer(t) * layer(t) * spread({2, 4}, 7)); })(x);
  };
  check_gradients([&](const auto& in) { return slope(in[0]); }, {spread({2, 4})}, 1e-5);
}

TEST_CASE("layer_norm is the same in training and evaluation, for one sample too, and for none") {
  test_engine e;
  nn::layer_norm layer;
  const auto x = spread({1, 4});
  const auto trained = numbers(layer(x));
  nn::eval(layer);
  CHECK(numbers(layer(x)) == trained);
  CHECK(layer(spread({0, 4})).shape() == shape{0, 4});
  CHECK(numbers(layer(spread({4}))) == trained);
}

TEST_CASE("layer_norm refuses inputs it cannot normalise") {
  test_engine e;
  nn::layer_norm layer;
  layer(spread({4, 3}));
  CHECK(TROUPE_ERROR_OF(layer(spread({4, 2}))) ==
        "layer_norm: [3] expected in the last axes, but x is float64[4,2]");
  CHECK(TROUPE_ERROR_OF(layer(tensor{1, 2, 3})) ==
        "layer_norm: x is int64[3], but must have floats");
  CHECK(TROUPE_ERROR_OF(nn::layer_norm(2)(spread({3}))) ==
        "layer_norm: x is float64[3], but must have at least 2 axes");
  CHECK(TROUPE_ERROR_OF(nn::layer_norm(0)) == "layer_norm: over 0 axes");
  CHECK(TROUPE_ERROR_OF(nn::layer_norm({.epsilon = -1})) == "layer_norm: a negative epsilon -1");
}

}  // namespace troupe::testing
