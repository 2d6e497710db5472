// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/activations.hpp"

#include <cmath>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

struct activation {
  tensor (*function)(const tensor&, caller);
  double (*expected)(double);
};

const activation formulas[] = {
    {leaky_relu, [](double x) { return x > 0 ? x : 0.01 * x; }},
    {elu, [](double x) { return x > 0 ? x : std::expm1(x); }},
    {selu,
     [](double x) {
       return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
     }},
    {relu6, [](double x) { return std::fmin(std::fmax(x, 0), 6); }},
    {log_sigmoid, [](double x) { return x < -30 ? x : -std::log1p(std::exp(-x)); }},
    {hard_sigmoid, [](double x) { return std::fmin(std::fmax(x + 3, 0), 6) / 6; }},
    {hard_swish, [](double x) { return x * std::fmin(std::fmax(x / 6 + 0.5, 0), 1); }},
    {mish, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {softsign, [](double x) { return x / (1 + std::fabs(x)); }}};

}  // namespace

TEST_CASE("activations have the values and the gradients of their formulas") {
  test_engine e;
  const tensor x = {-40., -4.5, -1.25, -0.5, 0.25, 1.5, 5., 20.};
  const auto places = numbers(x);
  for (const auto& one : formulas) {
    const auto found = numbers(one.function(x, caller::current()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      CAPTURE(&one - formulas, places[i]);
      CHECK(found[i] == Approx(one.expected(places[i])).epsilon(1e-13).margin(1e-15));
    }
    check_gradient([&](const tensor& y) { return one.function(y, caller::current()); },
                   tensor{-4.5, -1.25, 0.25, 1.5});
    CHECK(type_text(one.function(tensor{1, -2}, caller::current())) == "float64[2]");
    CHECK(type_text(one.function(ones({2}), caller::current())) == "float32[2]");
    CHECK(std::isnan(one.function(full({}, NAN), caller::current()).item<float>()));
  }
  CHECK(TROUPE_ERROR_OF(mish(complex(x, x))) ==
        "mish: complex numbers have no order: complex128[8]");
}

TEST_CASE("slopes of leaky_relu and elu may be given, also as tensors that learn") {
  test_engine e;
  const tensor x = {-2., 3.};
  CHECK(numbers(leaky_relu(x, 0.5)) == std::vector<double>{-1, 3});
  CHECK(numbers(elu(x, 0.)) == std::vector<double>{0, 3});
  check_gradient([&](const tensor& slope) { return leaky_relu(x, slope); }, tensor{0.25, 0.5});
  check_gradient([&](const tensor& slope) { return elu(x, slope); }, tensor{0.25, 0.5});
  CHECK(numbers(elu(tensor{1e4, -1e4})) == std::vector<double>{1e4, -1});
}

TEST_CASE("slopes where a function bends are PyTorch's") {
  test_engine e;
  const auto slopes = [](auto* f, const tensor& at) {
    return numbers(grad([&](const tensor& x) { return sum(f(x, caller::current())); })(at));
  };
  using list = std::vector<double>;
  CHECK(slopes(relu6, tensor{-1., 0., 3., 6., 7.}) == list{0, 0, 1, 0, 0});
  const auto sigmoid = slopes(hard_sigmoid, tensor{-3., 0., 3.});
  CHECK(sigmoid == list{0, 1 / 6., 0});
  CHECK(numbers(relu6(tensor{-INFINITY, INFINITY})) == list{0, 6});
}

TEST_CASE("gelu by a hyperbolic tangent is near gelu") {
  test_engine e;
  const auto x = linspace(-6., 6., 25, {.dtype = float64});
  CHECK(max(abs(gelu_tanh(x) - gelu(x))).item<double>() < 5e-4);
  CHECK(gelu_tanh(tensor{1.}).item<double>() == Approx(0.8411919906082768).epsilon(1e-14));
  check_gradient([](const tensor& y) { return gelu_tanh(y); }, tensor{-2., -0.5, 0.25, 3.});
}

}  // namespace troupe::testing
