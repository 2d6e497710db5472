// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Fails unless both functions return, bit for bit, what a product, a sum and relu return one after
/// the other: a product of two axes is divided in the same way with a bias and without.
void check_steps(const tensor& x, const tensor& weight, const tensor& bias) {
  shape dims;
  for (int i = 0; i + 1 < x.rank(); ++i) dims.push_back(x.shape()[i]);
  dims.push_back(weight.shape()[1]);
  CAPTURE(to_string(x.type()), to_string(weight.type()));
  const auto rows = dims.size() / std::max<std::int64_t>(1, weight.shape()[1]);
  const auto flat = x.rank() == 2 || dims.size() == 0 ? x : reshape(x, {rows, weight.shape()[0]});
  const auto sum = reshape(matmul(flat, weight) + bias, dims);
  const auto y = linear(x, weight, bias), z = linear_relu(x, weight, bias);
  REQUIRE(y.type() == sum.type());
  REQUIRE(z.type() == sum.type());
  CHECK(numbers(y) == numbers(sum));
  CHECK(numbers(z) == numbers(relu(sum)));
}

}  // namespace

TEST_CASE("linear is a product plus a bias, and linear_relu is its relu") {
  test_engine e;
  CHECK(numbers(linear(tensor{{1., 2.}, {3., 4.}}, tensor{{1., 0.}, {-1., 1.}},
                       tensor{10., -3.})) == std::vector<double>{9, -1, 9, 1});
  CHECK(numbers(linear_relu(tensor{{1., 2.}, {3., 4.}}, tensor{{1., 0.}, {-1., 1.}},
                            tensor{10., -3.})) == std::vector<double>{9, 0, 9, 1});
  for (const auto element : {float32, float64}) {
    const auto make = [&](const shape& dims) { return normal(dims, element); };
    check_steps(make({5, 7}), make({7, 3}), make({3}));
    check_steps(make({7}), make({7, 3}), make({3}));
    check_steps(make({4, 5, 7}), make({7, 3}), make({3}));
    check_steps(make({1, 7}), make({7, 1}), make({1}));
    check_steps(make({90, 70}), make({70, 1}), make({1}));
    check_steps(make({1, 700}), make({700, 900}), make({900}));
    check_steps(make({700, 130}), make({130, 1100}), make({1100}));
  }
}

TEST_CASE("linear reads views in place") {
  test_engine e;
  for (const auto element : {float32, float64}) {
    const auto a = normal({60, 80}, element), b = normal({80, 60}, element),
               c = normal({240}, element);
    const auto bias = c(range{0, 60}), every_fourth = c(range{.step = 4}),
               backwards = c(range{0, 60})(range{.step = -1}), same = broadcast_to(c[0], {60});
    for (const auto& one : {bias, every_fourth, backwards, same}) {
      check_steps(a, b, one);
      check_steps(b.T(), b, one);
      check_steps(a, a.T(), one);
      check_steps(b.T(), a.T(), one);
      check_steps(a(range{.step = -1}), b(range{}, range{.step = -1}), one);
    }
    check_steps(a(range{}, range{.step = 2}), b(range{.step = 2}), bias);
    check_steps(normal({3, 80, 5}, element).swapaxes(1, 2), b, bias);
  }
}

TEST_CASE("an empty sum of products leaves the bias, and no rows or columns are no work") {
  test_engine e;
  const tensor bias = {1.5, -2., 0.};
  CHECK(numbers(linear(zeros({2, 0}), zeros({0, 3}), bias.astype(float32))) ==
        std::vector<double>{1.5, -2, 0, 1.5, -2, 0});
  CHECK(numbers(linear_relu(zeros({2, 0}), zeros({0, 3}), bias.astype(float32))) ==
        std::vector<double>{1.5, 0, 0, 1.5, 0, 0});
  CHECK(type_text(linear(zeros({0, 2}), ones({2, 3}), ones({3}))) == "float32[0,3]");
  CHECK(type_text(linear(zeros({4, 0, 2}), ones({2, 3}), ones({3}))) == "float32[4,0,3]");
  CHECK(type_text(linear_relu(zeros({4, 2}), ones({2, 0}), ones({0}))) == "float32[4,0]");
}

TEST_CASE("NaN and infinities propagate through linear_relu") {
  test_engine e;
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const auto element : {float32, float64}) {
    const auto bias = from_data(std::vector<double>{nan, inf, -inf}, {3}, {.dtype = element});
    const auto y = numbers(linear_relu(ones({1, 2}, element), ones({2, 3}, element), bias));
    CHECK(std::isnan(y[0]));
    CHECK(y[1] == inf);
    CHECK(y[2] == 0);
  }
}

TEST_CASE("linear of float32 and float64 is float64") {
  test_engine e;
  CHECK(linear(ones({1, 2}), ones({2, 3}, float64), ones({3})).dtype() == float64);
  CHECK(linear(ones({1, 2}), ones({2, 3}), ones({3}, float64)).dtype() == float64);
}

TEST_CASE("linear refuses shapes that do not fit") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(linear(zeros({2, 3}), zeros({4, 5}), zeros({5}))) ==
        "linear: inner sizes differ: float32[2,3], float32[4,5] and float32[5]");
  CHECK(TROUPE_ERROR_OF(linear_relu(zeros({2, 3}), zeros({3, 5}), zeros({4}))) ==
        "linear_relu: not a bias for each column of the weight: float32[2,3], float32[3,5] and "
        "float32[4]");
  CHECK(TROUPE_ERROR_OF(linear(zeros({2, 3}), zeros({3, 5}), zeros({1, 5}))) ==
        "linear: not a bias for each column of the weight: float32[2,3], float32[3,5] and "
        "float32[1,5]");
  CHECK(TROUPE_ERROR_OF(linear(zeros({2, 3}), zeros({3}), zeros({3}))) ==
        "linear: the weight is not a matrix: float32[2,3], float32[3] and float32[3]");
  CHECK(TROUPE_ERROR_OF(linear(zeros({}), zeros({1, 1}), zeros({1}))) ==
        "linear: a scalar has no axis to multiply along: float32[], float32[1,1] and float32[1]");
  CHECK(TROUPE_ERROR_OF(linear(zeros({2, 3}, int64), zeros({3, 5}), zeros({5}))) ==
        "linear: not of floating numbers: int64[2,3], float32[3,5] and float32[5]");
  CHECK(TROUPE_ERROR_OF(linear(zeros({1, 1}), zeros({1, 1}, {.device = cpu(1)}), zeros({1}))) ==
        "linear: inputs on different devices: float32[1,1] on cpu:0 and float32[1,1] on cpu:1");
  CHECK(TROUPE_ERROR_OF(linear(zeros({1, 1}), zeros({1, 1}), tensor{})) ==
        "linear: input 2 names no array yet");
}

TEST_CASE("the gradients of linear_relu equal those of its steps") {
  test_engine e;
  const auto gradients_of = [](auto&& f) {
    auto x = tensor{{1., -2.}, {3., 0.5}, {-1., 4.}}, weight = tensor{{1., -1.}, {0.5, 2.}},
         bias = tensor{0.25, -0.5};
    for (auto* one : {&x, &weight, &bias}) one->attach_grad();
    tensor y;
    {
      const recording on;
      y = f(x, weight, bias);
    }
    backward(y, {.seed = tensor{{1., 2.}, {3., 4.}, {5., 6.}}});
    return std::vector{numbers(x.grad()), numbers(weight.grad()), numbers(bias.grad())};
  };
  CHECK(gradients_of([](const tensor& x, const tensor& w, const tensor& b) {
          return linear_relu(x, w, b);
        }) == gradients_of([](const tensor& x, const tensor& w, const tensor& b) {
          return relu(matmul(x, w) + b);
        }));
}

TEST_CASE("linear is one task, and the gradient of linear_relu passes through relu once") {
  synchronous_engine e(two_devices(), 100);
  auto x = ones({2, 3}), weight = ones({3, 4}), bias = ones({4});
  for (auto* one : {&x, &weight, &bias}) one->attach_grad();
  const auto seed = ones({2, 4});
  const auto names = [&](ticks since) {
    std::vector<std::string> out;
    for (const auto& done : e.trace(since).events) out.emplace_back(done.name);
    std::sort(out.begin(), out.end());
    return out;
  };
  auto since = now();
  tensor y;
  {
    const recording on;
    y = linear_relu(x, weight, bias);
  }
  CHECK(names(since) == std::vector<std::string>{"linear_relu"});
  since = now();
  backward(y, {.seed = seed});
  CHECK(names(since) == std::vector<std::string>{"matmul", "matmul", "relu_gradient", "sum"});
}

}  // namespace troupe::testing
