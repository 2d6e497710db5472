// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "troupe/nn/nn.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tests/tensor/test_engine.hpp"
#include "troupe/troupe.hpp"

// Layers and optimisers on float16 and bfloat16: states and intermediate results are float32.

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("adam steps with float16 parameters as with float32, and keeps its states in float32") {
  const test_engine e;
  const auto steps = [](dtype element) {
    nn::parameter p(ones({1}, element));
    nn::adam optimiser({p});
    for (const double slope : {1e-4, 0., 0., 0.}) {
      p.set_grad(full({1}, slope, element));
      optimiser.step();
    }
    CHECK(p.value().dtype() == element);
    return p.value().item<double>();
  };
  CHECK(steps(float16) == Approx(steps(float32)).margin(1e-3));
}

TEST_CASE("statistics of narrow floats in normalisation layers do not overflow") {
  const test_engine e;
  const nn::layer_norm layer;
  const auto y = layer(tensor({{-400., 400., -300., 300.}}).astype(float16));
  CHECK(y.dtype() == float16);
  CHECK(y(0, 1).item<double>() == Approx(1.131).epsilon(0.002));
  nn::batch_norm batch;
  const auto z = batch(tensor({{-400.}, {400.}}).astype(float16));
  CHECK(z.dtype() == float16);
  CHECK(z(1, 0).item<double>() == Approx(1));
  nn::eval(batch);
  CHECK(batch(ones({2, 1}, float16)).dtype() == float16);
}

TEST_CASE("running statistics of narrow floats do not stall") {
  const test_engine e;
  seed(1);
  const nn::batch_norm layer({.momentum = 0.01});
  for (int i = 0; i < 1000; ++i) layer(normal({64, 1}, 3, 1).astype(bfloat16));
  CHECK(layer.running_mean.value().item<double>() == Approx(3).epsilon(0.02));
}

TEST_CASE("gradients flow through normalised narrow floats in their dtype") {
  const test_engine e;
  const nn::layer_norm layer;
  const auto x = tensor({{1., 2., 4.}}).astype(float16);
  const auto slope = grad([&](const tensor& t) { return sum(layer(t) * t); })(x);
  const auto wide = grad([&](const tensor& t) { return sum(layer(t) * t); })(x.astype(float32));
  CHECK(slope.dtype() == float16);
  for (int i = 0; i < 3; ++i)
    CHECK(slope(0, i).item<double>() == Approx(wide(0, i).item<double>()).margin(0.02));
}

TEST_CASE("sums of many narrow losses do not overflow where their mean does not") {
  test_engine e;
  const auto x = (astype(equal(arange(4), 1), float32) * 10.).astype(float16);
  const auto many = broadcast_to(x, {8192, 4});
  const auto labels = zeros({8192}, int64);
  const auto want = nn::softmax_cross_entropy(many, labels).item();
  CHECK(want == 10);
  CHECK(nn::softmax_cross_entropy(many, labels, {.ignored = -100}).item() == want);
  CHECK(nn::softmax_cross_entropy(many, labels, {.class_weights = ones({4})}).item() == want);
  const auto even = zeros({2, 10'000}, float16);
  const auto smoothed = nn::softmax_cross_entropy(even, tensor{1, 2}, {.smoothing = 0.1});
  CHECK(smoothed.item() == Approx(std::log(10'000)).epsilon(0.001));
  CHECK(smoothed.dtype() == float16);
}

TEST_CASE("dropout keeps the same elements of narrow floats as of others") {
  const test_engine e;
  const auto kept = [](dtype element) {
    seed(5);
    return sum(astype(not_equal(nn::dropout(0.995)(ones({50'000}, element)), 0), int64))
        .item<std::int64_t>();
  };
  CHECK(kept(bfloat16) == kept(float32));
  CHECK(kept(float16) == kept(float32));
}

TEST_CASE("norms of narrow gradients are computed in float32") {
  const test_engine e;
  std::vector<nn::parameter> all;
  for (int i = 0; i < 100; ++i) {
    all.emplace_back(ones({100}, float16));
    all.back().set_grad(full({100}, 100, float16));
  }
  CHECK(nn::grad_norm(all).item<double>() == Approx(1e4));
  nn::clip_by_norm(all, 100);
  CHECK(all[0].grad().dtype() == float16);
  CHECK(all[0].grad()(0).item<double>() == Approx(1).epsilon(0.002));
}

TEST_CASE("a network learns in bfloat16 with parameters in float32") {
  const test_engine e;
  seed(2);
  const auto x = normal({128, 4}), y = matmul(x, tensor({{1.f}, {-2.f}, {3.f}, {0.5f}}));
  nn::parameter w(zeros({4, 1}));
  nn::adam optimiser({w}, {.rate = 0.05});
  const auto loss = [&] {
    const auto guess = matmul(x.astype(bfloat16), w.value().astype(bfloat16));
    return nn::mse_loss(guess.astype(float32), y);
  };
  for (int i = 0; i < 200; ++i) optimiser.minimise(loss);
  CHECK(w.value().dtype() == float32);
  CHECK(loss().item<float>() < 0.01);
}
