// SPDX-License-Identifier: MIT
#include "troupe/nn/variable.hpp"

#include <thread>

#include "troupe/nn/batch_norm.hpp"
#include "troupe/nn/dense.hpp"
#include "troupe/nn/layer_norm.hpp"
#include "troupe/nn/sequential.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("threads that call a new network at once share its weights") {
  test_engine e;
  constexpr int threads = 4, rounds = 50;
  for (int i = 0; i < rounds; ++i) {
    nn::sequential net{nn::dense(5), nn::layer_norm(), nn::dense(3)};
    const auto x = ones({1, 4});
    std::vector<tensor> all(threads);
    {
      std::vector<std::jthread> at_once;
      for (auto& y : all) at_once.emplace_back([&] { y = net(x); });
    }
    const auto expected = numbers(net(x));
    for (const auto& y : all) CHECK(numbers(y) == expected);
  }
}

TEST_CASE("gradients that several threads compute add up") {
  test_engine e;
  constexpr int threads = 4, each = 300;
  nn::dense layer(2);
  const auto x = ones({3, 4});
  layer(x);
  {
    std::vector<std::jthread> at_once;
    for (int i = 0; i < threads; ++i)
      at_once.emplace_back([&] {
        for (int k = 0; k < each; ++k) {
          tensor loss;
          {
            const recording on;
            loss = sum(layer(x));
          }
          loss.backward();
        }
      });
  }
  CHECK(numbers(layer.bias.grad()) == std::vector<double>(2, 3. * threads * each));
  CHECK(numbers(layer.weight.grad()) == std::vector<double>(8, 3. * threads * each));
}

TEST_CASE("a variable without an array throws until one is assigned") {
  test_engine e;
  nn::variable v;
  CHECK_FALSE(v.defined());
  CHECK(TROUPE_ERROR_OF(v.value()) ==
        "nn: a parameter has no array yet: its layer learns its shape when it is first called");
  CHECK_FALSE(nn::parameter().grad().defined());
  CHECK_NOTHROW(nn::parameter().zero_grad());
}

TEST_CASE("copies of a variable are the same place, clones are not") {
  test_engine e;
  nn::variable a(tensor{1., 2.});
  auto copy = a, clone = a.clone();
  CHECK(copy == a);
  CHECK_FALSE(clone == a);
  copy.assign({3., 4.});
  CHECK(numbers(a) == list{3, 4});
  CHECK(numbers(clone) == list{1, 2});
}

TEST_CASE("tasks submitted with a variable's array keep that array") {
  test_engine e;
  nn::variable v(tensor{1., 2.});
  const tensor before = v, twice = before * 2.;
  v.assign({5., 6.});
  CHECK(numbers(before) == list{1, 2});
  CHECK(numbers(twice) == list{2, 4});
}

TEST_CASE("an assigned view becomes an array of its own") {
  test_engine e;
  const tensor x = {{1., 2.}, {3., 4.}};
  nn::variable v(x[1]);
  nn::parameter p(x.T());
  CHECK(numbers(v) == list{3, 4});
  CHECK_FALSE(v.value().part());
  CHECK_FALSE(p.value().part());
  p.assign(x.T());
  CHECK_FALSE(p.value().part());
  CHECK(numbers(p) == list{1, 3, 2, 4});
}

TEST_CASE("assign refuses another shape, dtype or device") {
  test_engine e;
  nn::variable v(tensor{1., 2.});
  nn::parameter p(tensor{1., 2.});
  const auto refusal = [](const std::string& type) {
    return "assign: " + type + " to float64[2] on cpu:0";
  };
  CHECK(TROUPE_ERROR_OF(v.assign({1.})) == refusal("float64[1] on cpu:0"));
  CHECK(TROUPE_ERROR_OF(v.assign(zeros({2}))) == refusal("float32[2] on cpu:0"));
  CHECK(TROUPE_ERROR_OF(v.assign(v.value().to(cpu(1)))) == refusal("float64[2] on cpu:1"));
  CHECK(TROUPE_ERROR_OF(p.assign({1.})) == refusal("float64[1] on cpu:0"));
  CHECK_THROWS_AS(v.assign(tensor()), error);
  CHECK_THROWS_AS(nn::parameter().assign(tensor{1, 2}), error);
}

TEST_CASE("an assigned array is a constant: no gradient flows to its sources") {
  test_engine e;
  tensor x = {1., 2.};
  x.attach_grad();
  nn::variable v;
  nn::parameter p;
  const recording on;
  v.assign(x * 2.);
  p.assign(x * 3.);
  sum(v.value() * p.value()).backward();
  CHECK_FALSE(x.grad().defined());
  CHECK(numbers(p.grad()) == list{2, 4});
}

TEST_CASE("a parameter collects gradients until they are set to zero") {
  test_engine e;
  nn::parameter p(tensor{1., 2.});
  for (int i = 1; i <= 2; ++i) {
    const recording on;
    sum(p.value() * 3.).backward();
    CHECK(numbers(p.grad()) == list{3. * i, 3. * i});
  }
  p.assign({7., 8.});
  CHECK(numbers(p.grad()) == list{6, 6});
  p.zero_grad();
  CHECK_FALSE(p.grad().defined());
}

TEST_CASE("a frozen parameter is a constant until it is unfrozen") {
  test_engine e;
  nn::parameter p(tensor{1., 2.});
  p.freeze();
  CHECK_FALSE(p.trained());
  CHECK_FALSE(p.value().node());
  CHECK_FALSE(p.grad().defined());
  p.assign({3., 4.});
  {
    const recording on;
    CHECK_FALSE((p.value() * 2.).node());
  }
  p.unfreeze();
  const recording on;
  sum(p.value() * 2.).backward();
  CHECK(numbers(p.grad()) == list{2, 2});
}

TEST_CASE("a parameter may be frozen before it has an array") {
  test_engine e;
  nn::dense layer(2);
  layer.weight.freeze();
  const recording on;
  sum(layer(ones({1, 3}))).backward();
  CHECK_FALSE(layer.weight.grad().defined());
  CHECK(numbers(layer.bias.grad()) == list{1, 1});
}

TEST_CASE("a clone of a parameter has its numbers and whether it is trained, not its gradient") {
  test_engine e;
  nn::parameter p(tensor{1., 2.});
  {
    const recording on;
    sum(p.value()).backward();
  }
  auto clone = p.clone();
  CHECK_FALSE(clone == p);
  CHECK(numbers(clone) == list{1, 2});
  CHECK_FALSE(clone.grad().defined());
  CHECK(clone.trained());
  p.freeze();
  CHECK_FALSE(p.clone().trained());
  CHECK_FALSE(nn::parameter().clone().defined());
}

TEST_CASE("gradients return from the device where a parameter was used") {
  test_engine e;
  const nn::dense layer(2);
  const auto x = spread({3, 4});
  const auto here = [&] {
    const recording on;
    sum(layer(x)).backward();
    const auto g = numbers(layer.weight.grad());
    layer.weight.zero_grad();
    return g;
  }();
  const recording on;
  const auto there = sum(layer(x.to(cpu(1))));
  CHECK(there.device() == cpu(1));
  there.backward();
  CHECK(layer.weight.grad().device() == cpu(0));
  CHECK(numbers(layer.weight.grad()) == here);
}

TEST_CASE("a parameter that refused its first array accepts another one") {
  test_engine e;
  nn::parameter p;
  CHECK_THROWS_AS(p.assign(arange(3)), error);
  CHECK_FALSE(p.defined());
  p.assign(ones({3}));
  CHECK(p.trained());
  p.freeze();
  p.unfreeze();
  CHECK(p.trained());
}

TEST_CASE("threads that train a network at once lose none of batch_norm's statistics") {
  const bool compiled = GENERATE(false, true);
  test_engine e;
  const nn::batch_norm layer({.momentum = 0.125});
  const tensor x{{1., 8.}, {3., 8.}};
  layer(x);
  const auto program = compile([&](const tensor& in) { return layer(in); });
  constexpr int threads = 4, calls = 100;
  {
    std::vector<std::jthread> at_once;
    for (int i = 0; i < threads; ++i) {
      at_once.emplace_back([&] {
        for (int k = 0; k < calls; ++k) compiled ? program(x) : layer(x);
      });
    }
  }
  double mean = 0;
  for (int k = 0; k < 1 + threads * calls; ++k) mean = 2 * 0.125 + mean * 0.875;
  CHECK(layer.running_mean.value()[0].item<double>() == Approx(mean).epsilon(1e-14));
}

}  // namespace troupe::testing
