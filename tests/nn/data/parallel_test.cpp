// SPDX-License-Identifier: MIT
#include "troupe/nn/data/parallel.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "troupe/nn/nn.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

struct trained {
  std::vector<double> losses, weights;
};

/// Returns a network after some steps on the same batches, with losses computed on these devices.
trained train_on(const std::vector<device>& devices, bool synchronous) {
  runtime rt({.lanes = 2, .cpu_devices = 2, .synchronous = synchronous});
  seed(3);
  nn::sequential net{nn::dense(16, tanh), nn::layer_norm(), nn::dense(2)};
  net(zeros({1, 5}, float64));
  nn::adam adam(nn::parameters(net), {.rate = 1e-2});
  const auto all = normal({8, 33, 5}, 0, 1, {.dtype = float64});  // 33 rows: 17 and 16
  trained out;
  std::vector<tensor> losses;
  for (int i = 0; i < 8; ++i) {
    const auto x = all[i];
    const auto y = stack({sum(x, 1), max(x, 1)}, 1);
    losses.push_back(adam.minimise([&] {
      return nn::parallel_mean(nn::batch({x, y}), devices, [&](const nn::batch& share) {
        return nn::mse_loss(net(share[0]), share[1]);
      });
    }));
  }
  for (const auto& l : losses) out.losses.push_back(l.item<double>());
  for (const auto& p : nn::parameters(net)) {
    for (const double w : p.value().to_vector<double>()) out.weights.push_back(w);
  }
  return out;
}

}  // namespace

TEST_CASE("training on two devices agrees with one device up to rounding") {
  for (const bool synchronous : {true, false}) {
    CAPTURE(synchronous);
    const auto one = train_on({cpu(0)}, synchronous);
    CHECK(one.losses.back() < one.losses.front());
    for (const auto& devices : {std::vector<device>{cpu(0), cpu(1)}, {cpu(1), cpu(0), cpu(1)}}) {
      const auto several = train_on(devices, synchronous);
      REQUIRE(several.weights.size() == one.weights.size());
      for (std::size_t i = 0; i < one.weights.size(); ++i)
        REQUIRE(near(several.weights[i], one.weights[i], 1e-9));
      for (std::size_t i = 0; i < one.losses.size(); ++i)
        REQUIRE(near(several.losses[i], one.losses[i], 1e-9));
    }
  }
}

TEST_CASE("gradients are added up while the backward pass still runs") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  nn::sequential net;
  for (int i = 0; i < 6; ++i) net.add(nn::dense(384, relu));
  net(zeros({1, 384}));
  nn::sgd sgd(nn::parameters(net), {.rate = 1e-3});
  const nn::batch b({normal({512, 384})});
  const auto start = now();
  sgd.minimise([&] {
    return nn::parallel_mean(b, {cpu(0), cpu(1)},
                             [&](const nn::batch& share) { return mean(square(net(share[0]))); });
  });
  rt.wait_all();
  const auto log = rt.trace(start);
  // Only gradients of weights are that large and go to the first device.
  ticks last_product = 0, first_gradient = 0;
  for (const auto& e : log.events) {
    if (e.device == cpu(1) && e.name == "matmul") last_product = std::max(last_product, e.ended);
    if (e.device == cpu(0) && e.name == "to" && e.bytes > 384 * 384 * 4 && first_gradient == 0)
      first_gradient = e.started;
  }
  REQUIRE(last_product > 0);
  REQUIRE(first_gradient > 0);
  CHECK(first_gradient < last_product);
}

TEST_CASE("the mean over shares is on the first device, and weighs each by its samples") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  const nn::batch b({tensor{1., 2., 6.}});
  const auto m =
      nn::parallel_mean(b, {cpu(1), cpu(0)}, [](const nn::batch& share) { return mean(share[0]); });
  CHECK(m.device() == cpu(1));
  CHECK(m.item<double>() == Approx(3));
}

TEST_CASE("batch_norm on two devices gathers the statistics of all shares") {
  runtime rt({.lanes = 2, .cpu_devices = 2});
  nn::batch_norm layer;
  const nn::batch b({normal({64, 3}) + 5.f});
  for (int i = 0; i < 60; ++i)
    nn::parallel_mean(b, {cpu(0), cpu(1)},
                      [&](const nn::batch& share) { return mean(layer(share[0])); });
  CHECK(layer.running_mean.value().device() == cpu(0));
  for (const double m : layer.running_mean.value().to_vector<double>()) CHECK(near(m, 5, 0.5));
}

}  // namespace troupe::testing
