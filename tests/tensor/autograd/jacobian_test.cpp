// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/jacobian.hpp"

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

double farthest(const tensor& a, const tensor& b) {
  REQUIRE(type_text(a) == type_text(b));
  return max(abs(a - b)).item<double>();
}

}  // namespace

TEST_CASE("a Jacobian has the shape of the result followed by that of the argument") {
  test_engine e;
  const tensor x = {{1., 2., 3.}, {4., 5., 6.}};
  const auto rows = jacobian([](const tensor& v) { return sum(v * v, 1); })(x);
  CHECK(type_text(rows) == "float64[2,2,3]");
  CHECK(numbers(rows) == std::vector<double>{2, 4, 6, 0, 0, 0, 0, 0, 0, 8, 10, 12});
  const auto columns = jacobian([](const tensor& v) {
    return stack({v[0] * v[1], v[0] + 0., v[1] * 2.});
  })(x);
  CHECK(type_text(columns) == "float64[3,3,2,3]");
  CHECK(numbers(columns(0, 1)) == std::vector<double>{0, 5, 0, 0, 2, 0});
  CHECK(numbers(columns(2, 0)) == std::vector<double>{0, 0, 0, 2, 0, 0});
  const auto number = jacobian([](const tensor& v) { return v * v; })(tensor(3.));
  CHECK(type_text(number) == "float64[]");
  CHECK(number.item<double>() == 6);
}

TEST_CASE("Jacobians from backward and from forward passes agree") {
  test_engine e;
  const tensor x = {0.5, -1., 2.};
  const auto wide = [](const tensor& v) { return flatten(softmax(expand_dims(v, 1) * v, 1)); };
  const auto forward = jacobian(wide)(x);  // 9 results of 3 numbers
  CHECK(type_text(forward) == "float64[9,3]");
  for (int first = 0; first < 9; first += 3) {
    const auto part = [&](const tensor& v) { return wide(v)[range{first, first + 3}]; };
    CHECK(farthest(jacobian(part)(x), forward[range{first, first + 3}]) < 1e-14);
  }
}

TEST_CASE("a function of several tensors has a Jacobian for each") {
  test_engine e;
  const tensor a = {{1., 2.}, {3., 4.}}, b = {5., 6.};
  const auto found =
      jacobian([](const std::vector<tensor>& in) { return matmul(in[0], in[1]); })({a, b});
  REQUIRE(found.size() == 2);
  CHECK(type_text(found[0]) == "float64[2,2,2]");
  CHECK(numbers(found[0]) == std::vector<double>{5, 6, 0, 0, 0, 0, 5, 6});
  CHECK(numbers(found[1]) == numbers(a));
}

TEST_CASE("Jacobians of constants and of no elements are zeros and empty") {
  test_engine e;
  const tensor x = {1., 2.};
  CHECK(numbers(jacobian([](const tensor&) { return ones({2}, float64); })(x)) ==
        std::vector<double>(4, 0.));
  CHECK(type_text(jacobian([](const tensor& v) { return v[range{0, 0}]; })(x)) == "float64[0,2]");
  CHECK(type_text(jacobian([](const tensor& v) { return v * 2.; })(zeros({0}, float64))) ==
        "float64[0,0]");
}

TEST_CASE("the Hessian of a quadratic form is its matrix") {
  test_engine e;
  const tensor a = {{2., 1., 0.}, {1., 3., -1.}, {0., -1., 4.}}, x = {1., -1., 0.5};
  const auto f = [&](const tensor& v) { return matmul(v, matmul(a, v)) / 2.; };
  CHECK(numbers(hessian(f)(x)) == numbers(a));
  CHECK(numbers(jacobian(grad(f))(x)) == numbers(a));
}

TEST_CASE("the Hessian of log(sum(exp(x))) has its closed form and is symmetric") {
  test_engine e;
  const tensor x = {0.1, -0.7, 1.3, 0.4};
  const auto found = hessian([](const tensor& v) { return logsumexp(v); })(x);
  const auto p = softmax(x, 0);
  const auto want = eye(4, float64) * p - expand_dims(p, 1) * p;
  CHECK(farthest(found, want) < 1e-14);
  const auto of_grid = hessian([](const tensor& v) { return prod(sin(v)); })(x.reshape({2, 2}));
  CHECK(type_text(of_grid) == "float64[2,2,2,2]");
  const auto square = of_grid.reshape({4, 4});
  CHECK(farthest(square, square.T()) < 1e-14);
}

TEST_CASE("a Hessian of several tensors consists of blocks") {
  test_engine e;
  const tensor a = {1., 2.}, b = {3.};
  const auto found =
      hessian([](const std::vector<tensor>& in) { return sum(in[0] * in[0] * in[1]); })({a, b});
  REQUIRE(found.size() == 2);
  CHECK(numbers(found[0][0]) == std::vector<double>{6, 0, 0, 6});
  CHECK(numbers(found[0][1]) == std::vector<double>{2, 4});
  CHECK(type_text(found[0][1]) == "float64[2,1]");
  CHECK(type_text(found[1][0]) == "float64[1,2]");
  CHECK(numbers(found[1][1]) == std::vector<double>{0});
}

TEST_CASE("Hessians of functions without second derivatives are zeros") {
  test_engine e;
  const tensor x = {1., 2.};
  CHECK(numbers(hessian([](const tensor& v) { return sum(v); })(x)) == std::vector<double>(4, 0.));
  CHECK(numbers(hessian([](const tensor&) { return tensor(1.); })(x)) ==
        std::vector<double>(4, 0.));
}

TEST_CASE("Jacobians and Hessians can be differentiated and compiled") {
  test_engine e;
  const tensor x = {1., 2.};
  const auto cubes = [](const tensor& v) { return v * v * v; };
  const auto trace = [&](const tensor& v) { return sum(jacobian(cubes)(v)); };
  CHECK(numbers(grad(trace)(x)) == std::vector<double>{6, 12});
  const auto curvature = [&](const tensor& v) {
    return sum(hessian([&](const tensor& p) { return sum(cubes(p)); })(v));
  };
  CHECK(numbers(grad(curvature)(x)) == std::vector<double>{6, 6});
  const auto compiled = compile([&](const tensor& v) { return jacobian(cubes)(v); });
  for (int call = 0; call < 3; ++call)
    CHECK(numbers(compiled(x)) == std::vector<double>{3, 0, 0, 12});
}

TEST_CASE("jacobian and hessian name what has no derivatives") {
  test_engine e;
  const tensor x = {1., 2.}, whole = {1, 2};
  const auto twice = [](const tensor& v) { return v * 2; };
  CHECK(TROUPE_ERROR_OF(jacobian(twice)(whole)) ==
        "jacobian: an argument is int64[2]: only floats have derivatives");
  CHECK(TROUPE_ERROR_OF(jacobian([](const tensor& v) { return argmax(v); })(x)) ==
        "jacobian: the result is int64[]: only floats have derivatives");
  CHECK(TROUPE_ERROR_OF(jacobian([](const tensor&) { return tensor(); })(x)) ==
        "jacobian: the result names no array");
  CHECK(TROUPE_ERROR_OF(hessian(twice)(x)) ==
        "hessian: the function gives float64[2], not one number: sum it, for instance");
  CHECK(TROUPE_ERROR_OF(jacobian(twice)(ones({1, 1, 1, 1, 1}, float64))) ==
        "jacobian: the derivatives of float64[1,1,1,1,1] with respect to float64[1,1,1,1,1] would "
        "have more than 8 axes");
}

}  // namespace troupe::testing
