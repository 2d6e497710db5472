// SPDX-License-Identifier: MIT
#include "troupe/nn/data/parallel.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>

#include "troupe/nn/nn.hpp"
#include "troupe/tests/actors/gate.hpp"
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

TEST_CASE("the last layer learns from all devices while the backward pass of the first one runs") {
  runtime rt({.lanes = 1, .cpu_devices = 2});
  nn::dense first(16), last(2);
  const auto x = normal({32, 5}), y = normal({32, 2});
  last(first(x));
  auto all = nn::parameters(first);
  for (const auto& p : nn::parameters(last)) all.push_back(p);
  nn::sgd optimiser(all, {.rate = 0.1});
  rt.wait_all();
  const auto before = all.back().value().to_vector<float>();
  gate held;  // opens before the runtime ends
  const auto on_its_way = [&held](const tensor& h) {
    return custom_gradient(
        {h}, [](const std::vector<tensor>& in) { return in[0]; },
        [&held](const std::vector<tensor>&, const tensor&, const tensor& arriving) {
          if (arriving.device() == cpu(0)) return std::vector<tensor>{arriving};
          const auto type = arriving.type();
          return std::vector<tensor>{call("held", {arriving}, {type.element, type.dims},
                                          [way = held.through()](const inputs& in, outputs& out) {
                                            way.pass();
                                            const auto from = in[0].span<float>();
                                            const auto into = out[0].span<float>();
                                            std::copy(from.begin(), from.end(), into.begin());
                                          })};
        });
  };
  optimiser.minimise([&] {
    return nn::parallel_mean(nn::batch({x, y}), {cpu(0), cpu(1)}, [&](const nn::batch& share) {
      return nn::mse_loss(last(on_its_way(first(share[0]))), share[1]);
    });
  });
  CHECK(held.await_inside(1));
  for (const auto& p : nn::parameters(last)) CHECK(p.value().wait_for(std::chrono::seconds(30)));
  CHECK(all.back().value().to_vector<float>() != before);
  CHECK_FALSE(all.front().value().wait_for(std::chrono::nanoseconds(0)));
  held.open();
  rt.wait_all();
  CHECK(all.front().value().wait_for(std::chrono::nanoseconds(0)));
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
