// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/features.hpp"
#include "troupe/nn/nn.hpp"
#include "troupe/tensor/autograd/checkpoint.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;
using list_of_names = std::vector<std::string>;

}  // namespace

TEST_CASE("dense is x @ weight + bias along the last axis, then the activation") {
  test_engine e;
  const nn::dense layer(2, relu);
  const auto x = spread({2, 2, 3});
  layer(x);
  auto weight = layer.weight, bias = layer.bias;
  bias.assign(from_data(list{0.25, -0.5}, {2}));
  const auto y = numbers(layer(x)), in = numbers(x), w = numbers(weight), b = numbers(bias);
  REQUIRE(y.size() == 8);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      double sum = b[j];
      for (std::size_t k = 0; k < 3; ++k) sum += in[i * 3 + k] * w[k * 2 + j];
      CHECK(near(y[i * 2 + j], std::max(0., sum), 1e-12));
    }
  }
  CHECK(type_text(weight) == "float64[3,2]");
  CHECK(type_text(bias) == "float64[2]");
}

TEST_CASE("a dense layer with a bias is one task, with relu too") {
  for (const auto& [then, tasks] : std::initializer_list<std::pair<nn::activation, list_of_names>>{
           {nullptr, {"linear"}}, {relu, {"linear_relu"}}, {tanh, {"linear", "tanh"}}}) {
    synchronous_engine e(two_devices(), 100);
    const nn::dense layer(2, then);
    const auto x = spread({2, 2, 3});
    layer(x);
    const auto since = now();
    layer(x);
    list_of_names names;
    for (const auto& done : e.trace(since).events) names.emplace_back(done.name);
    CHECK(names == tasks);
  }
}

TEST_CASE("dense makes the same bits of a sample in all batches") {
  // Old CPUs compute large products in another way than small ones.
  if (best_instruction_set() == instruction_set::baseline) return;
  test_engine e;
  for (const auto type : {float32, float64}) {
    for (const std::int64_t units : {2, 10, 64, 300}) {
      const nn::dense layer(units, relu);
      const auto x = normal({70, 600}, type);
      const auto all = numbers(layer(x));
      for (const std::int64_t rows : {1, 2, 5, 32}) {
        for (const std::int64_t first : {std::int64_t{0}, std::int64_t{9}}) {
          const auto from = all.begin() + first * units;
          CAPTURE(name(type), units, rows, first);
          CHECK(numbers(layer(x.slice(0, first, first + rows))) == list(from, from + rows * units));
        }
      }
    }
  }
}

TEST_CASE("dense without a bias has none") {
  test_engine e;
  nn::dense layer(2, {.bias = false});
  layer(spread({1, 3}));
  CHECK(nn::parameters(layer).size() == 1);
  CHECK_FALSE(layer.bias.defined());
}

TEST_CASE("a layer takes the dtype and the device of its first input") {
  test_engine e;
  nn::dense layer(2);
  layer(spread({1, 3}, 0, float32).to(cpu(1)));
  CHECK(layer.weight.value().dtype() == float32);
  CHECK(layer.weight.value().device() == cpu(1));
}

TEST_CASE("dense refuses invalid arguments and inputs") {
  test_engine e;
  nn::dense layer(2);
  layer(spread({1, 3}));
  CHECK(TROUPE_ERROR_OF(layer(spread({1, 4}))) ==
        "dense: weight is float64[3,2], but x is float64[1,4]");
  CHECK(TROUPE_ERROR_OF(layer(ones({}))) == "dense: x is float32[], but must have at least 1 axis");
  CHECK(TROUPE_ERROR_OF(layer(tensor{1, 2, 3})) == "dense: x is int64[3], but must have floats");
  CHECK(TROUPE_ERROR_OF(layer({})) == "dense: x is a tensor without an array");
  nn::dense wider(4);
  wider.weight = nn::parameter(spread({3, 2}));
  CHECK(TROUPE_ERROR_OF(wider(spread({1, 3}))) ==
        "dense: weight is float64[3,2], but the layer has 4 units");
  CHECK(TROUPE_ERROR_OF(nn::dense(0)) == "dense: 0 units: there must be one at least");
  layer.weight = nn::parameter(spread({3}));
  CHECK(TROUPE_ERROR_OF(layer(spread({1, 3}))) ==
        "dense: weight is float64[3], but x is float64[1,3]");
}

TEST_CASE("the gradients of dense agree with finite differences") {
  test_engine e;
  nn::dense layer(2, tanh);
  layer(spread({1, 3}));
  check_gradients([&](const auto& in) { return layer(in[0]); }, {spread({4, 3})});
}

TEST_CASE("dropout in training drops at its rate and keeps the mean") {
  test_engine e;
  seed(1);
  for (const double rate : {0.1, 0.5, 0.9}) {
    const nn::dropout layer(rate);
    const auto y = numbers(layer(ones({200, 100})));
    double dropped = 0, sum = 0;
    for (const double v : y) {
      dropped += v == 0;
      sum += v;
      if (v != 0) REQUIRE(near(v, 1 / (1 - rate), 1e-6));
    }
    CHECK(std::abs(dropped / 20000 - rate) < 4 * std::sqrt(rate * (1 - rate) / 20000));
    CHECK(std::abs(sum / 20000 - 1) < 4 * std::sqrt(rate / (1 - rate) / 20000));
  }
}

TEST_CASE("dropout drops other elements at every call, and the same ones from the same seed") {
  test_engine e;
  const nn::dropout layer(0.5);
  const auto x = ones({100});
  seed(7);
  const auto first = numbers(layer(x)), second = numbers(layer(x));
  CHECK(first != second);
  seed(7);
  CHECK(numbers(layer(x)) == first);
}

TEST_CASE("dropout is the identity in evaluation, and at rate 0") {
  test_engine e;
  nn::dropout layer(0.5), none(0);
  const auto x = spread({5});
  CHECK(none(x).source() == x.source());
  nn::eval(layer);
  CHECK(layer(x).source() == x.source());
  nn::train(layer);
  CHECK(layer(x).source() != x.source());
}

TEST_CASE("at rate 1 dropout leaves nothing, and no NaN in the gradient either") {
  test_engine e;
  const nn::dropout layer(1);
  auto x = from_data(list{1, std::numeric_limits<double>::infinity(), std::nan("")}, {3});
  x.attach_grad();
  {
    const recording on;
    const auto y = layer(x);
    CHECK(numbers(y) == list{0, 0, 0});
    sum(y).backward();
  }
  CHECK(numbers(x.grad()) == list{0, 0, 0});
}

TEST_CASE("the gradient of dropout is dropped where its input was") {
  test_engine e;
  const nn::dropout layer(0.5);
  auto x = spread({50});
  x.attach_grad();
  tensor y;
  {
    const recording on;
    y = layer(x);
    sum(y).backward();
  }
  const auto in = numbers(x), out = numbers(y), g = numbers(x.grad());
  for (std::size_t i = 0; i < 50; ++i) CHECK(near(g[i], out[i] / in[i], 1e-12));
}

TEST_CASE("a checkpoint drops the same elements when it is run again") {
  test_engine e;
  const nn::dropout layer(0.5);
  auto x = spread({50});
  x.attach_grad();
  tensor y;
  {
    const recording on;
    y = checkpoint([&](const std::vector<tensor>& in) { return layer(in[0]); }, {x});
    sum(y).backward();
  }
  const auto in = numbers(x), out = numbers(y), g = numbers(x.grad());
  for (std::size_t i = 0; i < 50; ++i) CHECK(near(g[i], out[i] / in[i], 1e-12));
}

TEST_CASE("a checkpoint in which a layer draws its first weights drops the same elements, too") {
  test_engine e;
  auto x = spread({4, 6});
  x.attach_grad();
  nn::sequential net{nn::dense(50), nn::dropout(0.5)};
  tensor y;
  {
    const recording on;
    y = checkpoint([&](const std::vector<tensor>& in) { return net(in[0]); }, {x});
    sum(y).backward();
  }
  const auto g = numbers(nn::parameters(net)[1].grad()), out = numbers(y);  // gradient of the bias
  for (std::size_t j = 0; j < 50; ++j) {
    double kept = 0;
    for (std::size_t i = 0; i < 4; ++i) kept += out[i * 50 + j] == 0 ? 0 : 2;
    CHECK(g[j] == kept);
  }
}

TEST_CASE("dropout refuses rates that are no probabilities, and integers") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nn::dropout(-0.1)) == "dropout: a rate of -0.1 is not between 0 and 1");
  CHECK(TROUPE_ERROR_OF(nn::dropout(1.5)) == "dropout: a rate of 1.5 is not between 0 and 1");
  CHECK(TROUPE_ERROR_OF(nn::dropout(std::nan(""))) ==
        "dropout: a rate of nan is not between 0 and 1");
  CHECK(TROUPE_ERROR_OF(nn::dropout()(tensor{1, 2})) ==
        "dropout: x is int64[2], but must have floats");
}

TEST_CASE("embedding has a vector for each integer, of any shape") {
  test_engine e;
  nn::embedding layer(5, 3);
  const auto y = layer(tensor{{1, 4}, {0, -1}});
  CHECK(type_text(y) == "float32[2,2,3]");
  const auto w = numbers(layer.weight), out = numbers(y);
  REQUIRE(w.size() == 15);
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(out[j] == w[3 + j]);
    CHECK(out[3 + j] == w[12 + j]);
    CHECK(out[6 + j] == w[j]);
    CHECK(out[9 + j] == w[12 + j]);
  }
}

TEST_CASE("the gradient of an embedding adds up where an integer comes several times") {
  test_engine e;
  nn::embedding layer(4, 2, {.dtype = float64});
  {
    const recording on;
    sum(layer(tensor{1, 3, 1}) * from_data(list{1, 2, 3, 4, 5, 6}, {3, 2})).backward();
  }
  CHECK(numbers(layer.weight.grad()) == list{0, 0, 6, 8, 0, 0, 3, 4});
}

TEST_CASE("an integer without a vector fails the result, with the line of the call") {
  test_engine e;
  nn::embedding layer(4, 2);
  const auto y = layer(tensor{1, 4});
  const auto line = "layers_test.cpp:" + std::to_string(__LINE__ - 1);
  CHECK_THROWS_WITH(y.wait(), Catch::Contains("index 4 is out of bounds") && Catch::Contains(line));
}

TEST_CASE("embedding refuses invalid arguments and inputs") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nn::embedding(0, 3)) ==
        "embedding: 0 vectors of size 3: there must be one of size 1 at least");
  CHECK(TROUPE_ERROR_OF(nn::embedding(3, -1)) ==
        "embedding: 3 vectors of size -1: there must be one of size 1 at least");
  CHECK(TROUPE_ERROR_OF(nn::embedding(3, 2, {.dtype = int32})) ==
        "embedding: weights have no dtype int32");
  nn::embedding layer(3, 2);
  CHECK(TROUPE_ERROR_OF(layer(ones({2}))) == "embedding: x is float32[2], but must have integers");
  CHECK_THROWS_AS(layer({}), error);
}

TEST_CASE("flatten keeps the first axis") {
  test_engine e;
  const nn::flatten layer;
  const auto x = spread({2, 3, 4});
  CHECK(layer(x).shape() == shape{2, 12});
  CHECK(numbers(layer(x)) == numbers(x));
  CHECK(layer(spread({5})).shape() == shape{5, 1});
  CHECK(layer(zeros({0, 3, 4})).shape() == shape{0, 12});
  CHECK(layer(x.T()).shape() == shape{4, 6});
  CHECK(TROUPE_ERROR_OF(layer(ones({}))) ==
        "flatten: x is float32[], but must have at least 1 axis");
  CHECK_THROWS_AS(layer({}), error);
}

}  // namespace troupe::testing
