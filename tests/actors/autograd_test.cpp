// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <cstring>

#include "troupe/tasks/engine.hpp"
#include "troupe/troupe.hpp"

namespace troupe::testing {

namespace {

/// Network of two layers, trained for some steps without a sync point.
struct network {
  tensor w1 = normal({32, 48}, 0, 0.1), b1 = zeros({48}), w2 = normal({48, 1}, 0, 0.1);

  network() {
    for (auto* p : {&w1, &b1, &w2}) p->attach_grad();
  }

  tensor loss(const tensor& x, const tensor& y) const {
    const recording on;
    return mean(square(matmul(relu(matmul(x, w1) + b1), w2) - y));
  }

  void step() {
    const auto x = normal({64, 32});
    loss(x, sum(x, 1, keepdims)).backward();
    for (auto* p : {&w1, &b1, &w2}) {
      p->assign(*p - 0.05 * p->grad());
      p->zero_grad();
    }
  }
};

std::vector<float> trained(const runtime_options& options, int steps) {
  runtime rt(options);
  network net;
  for (int i = 0; i < steps; ++i) net.step();
  auto out = net.w1.to_vector<float>();
  for (const float v : net.w2.to_vector<float>()) out.push_back(v);
  return out;
}

}  // namespace

TEST_CASE("training gives bit-equal weights on any number of lanes") {
  const auto expected = trained({.synchronous = true}, 20);
  for (int lanes : {1, 2, 8}) {
    CAPTURE(lanes);
    const auto got = trained({.lanes = lanes, .synchronous = false}, 20);
    REQUIRE(got.size() == expected.size());
    CHECK(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("training reduces the loss") {
  runtime rt({.lanes = 2, .synchronous = false});
  network net;
  const auto x = normal({64, 32});
  const auto before = net.loss(x, sum(x, 1, keepdims)).item<float>();
  for (int i = 0; i < 200; ++i) net.step();
  CHECK(net.loss(x, sum(x, 1, keepdims)).item<float>() < 0.2f * before);
}

TEST_CASE("a failure before the loss fails the gradients, with its origin") {
  runtime rt({.lanes = 2, .synchronous = false});
  tensor w = ones({4});
  w.attach_grad();
  tensor loss;
  {
    const recording on;
    loss = sum(take(w, tensor{7}));
  }
  const auto line = std::to_string(__LINE__ - 2);
  loss.backward();
  for (const auto& x : {loss, w.grad()}) {
    // The gradient itself fails at the same index; both errors name the line of `take`.
    CHECK_THROWS_WITH(x.wait(), Catch::Contains("index 7 is out of bounds") &&
                                    Catch::Contains("autograd_test.cpp:" + line));
  }
  CHECK_NOTHROW(rt.wait_all());  // all failures have been read
}

TEST_CASE("tasks of a backward pass have the call site of the operation they belong to") {
  runtime rt({.lanes = 1, .synchronous = false});
  tensor w = ones({4});
  w.attach_grad();
  tensor loss;
  {
    const recording on;
    loss = sum(exp(w));
  }
  const auto line = __LINE__ - 2;
  rt.wait_all();
  const auto since = now();
  loss.backward();
  rt.wait_all();
  int products = 0;
  for (const auto& e : rt.trace(since).events) {
    if (e.name == "multiply") {
      ++products;
      CHECK(static_cast<int>(e.call_site.line()) == line);
    }
  }
  CHECK(products == 1);
}

TEST_CASE("a backward pass without a sync point releases memory as it proceeds") {
  runtime rt({.lanes = 2, .memory_limit = std::size_t{64} << 20, .synchronous = false});
  const auto& memory = rt.engine().devices()[0]->memory();
  tensor w = ones({1 << 18});  // 1 MiB
  w.attach_grad();
  for (int step = 0; step < 30; ++step) {
    tensor loss;
    {
      const recording on;
      auto y = w;
      for (int i = 0; i < 10; ++i) y = sin(y) * y;  // keeps 20 MiB
      loss = sum(y);
    }
    loss.backward();
    w.assign(w - 1e-3 * w.grad());
    w.zero_grad();
  }
  w.wait();
  CHECK(memory->statistics().peak <= std::size_t{64} << 20);
  rt.wait_all();
  CHECK(memory->live() <= std::size_t{3} << 20);
}

}  // namespace troupe::testing
