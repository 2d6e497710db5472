// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <condition_variable>
#include <mutex>

#include "troupe/nn/nn.hpp"
#include "troupe/tests/nn/trained.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

/// Points of three classes, and a network that learns to classify them.
struct classifier {
  nn::sequential net{nn::dense(32, relu), nn::batch_norm(), nn::dropout(0.1),
                     nn::dense(16, tanh), nn::layer_norm(), nn::dense(3)};
  tensor x = normal({90, 5}), labels = argmax(x.slice(1, 0, 3), 1);

  tensor loss() {
    const recording on;
    return nn::softmax_cross_entropy(net(x), labels);
  }

  void step() {
    loss().backward();
    for (auto& p : nn::parameters(net)) {
      p.assign(p.value() - 0.1 * p.grad());
      p.zero_grad();
    }
  }
};

std::vector<float> everything_trained(const runtime_options& options) {
  runtime rt(options);
  seed(5);
  classifier c;
  for (int i = 0; i < 15; ++i) c.step();
  numbers_seen found;
  nn::visit(c.net, found);
  return found.numbers;
}

}  // namespace

TEST_CASE("a network trains to bit-equal weights and statistics on any number of lanes") {
  check_same_on_any_lanes(everything_trained);
}

TEST_CASE("a classifier learns its classes") {
  runtime rt({.lanes = 2, .synchronous = false});
  seed(5);
  classifier c;
  const auto before = c.loss().item<float>();
  for (int i = 0; i < 150; ++i) c.step();
  nn::eval(c.net);
  CHECK(c.loss().item<float>() < 0.3f * before);
  CHECK(nn::accuracy(c.net(c.x), c.labels).item<double>() > 0.9);
}

TEST_CASE("a step of training waits for nothing") {
  runtime rt({.lanes = 1, .synchronous = false});
  classifier c;
  c.step();
  rt.wait_all();
  bool go = false;
  std::mutex m;
  std::condition_variable woken;
  effect("gate", {c.x}, [&](const inputs&) {
    std::unique_lock lock(m);
    woken.wait(lock, [&] { return go; });
  });
  c.step();  // the only lane is blocked: any wait would last forever
  {
    const std::lock_guard lock(m);
    go = true;
  }
  woken.notify_one();
  CHECK_NOTHROW(rt.wait_all());
}

}  // namespace troupe::testing
