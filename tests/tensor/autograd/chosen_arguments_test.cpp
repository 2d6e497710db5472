// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jacobian.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

const auto product = [](const tensor& w, const tensor& b) { return sum(w * w * b); };

}  // namespace

TEST_CASE("a function of several tensors is differentiated by the first, or by those asked for") {
  test_engine e;
  const tensor w = {1., 2.}, b = {3., 4.};
  CHECK(numbers(grad(product)(w, b)) == list{6, 16});
  CHECK(numbers(grad(product, 1)(w, b)) == list{1, 4});
  const auto both = grad(product, {1, 0})(w, b);
  CHECK(numbers(both[0]) == list{1, 4});
  CHECK(numbers(both[1]) == list{6, 16});
  const auto [value, slope] = value_and_grad(product)(w, b);
  CHECK(value.item<double>() == 19);
  CHECK(numbers(slope) == list{6, 16});
  CHECK(numbers(value_and_grad(product, {1})(w, b).second[0]) == list{1, 4});
  CHECK(numbers(grad([](const tensor& x, const tensor&) { return sum(x); }, 1)(w, b)) ==
        list{0, 0});
}

TEST_CASE("arguments that are not asked for are recorded with what uses the gradient") {
  test_engine e;
  tensor b = {3., 4.};
  b.attach_grad();
  tensor total;
  {
    const recording on;
    total = sum(grad(product)({1., 2.}, b));  // sum(2 w b)
  }
  total.backward();
  CHECK(numbers(b.grad()) == list{2, 4});
}

TEST_CASE("Jacobians and Hessians of several arguments are those that are asked for") {
  test_engine e;
  const tensor w = {1., 2.}, b = {3., 4.};
  const auto times = [](const tensor& x, const tensor& y) { return x * y; };
  CHECK(numbers(jacobian(times)(w, b)) == list{3, 0, 0, 4});
  CHECK(numbers(jacobian(times, 1)(w, b)) == list{1, 0, 0, 2});
  CHECK(numbers(jacobian(times, {0, 1})(w, b)[1]) == list{1, 0, 0, 2});
  CHECK(numbers(hessian(product)(w, b)) == list{6, 0, 0, 8});
  CHECK(numbers(hessian(product, 1)(w, b)) == list(4, 0.));
  CHECK(numbers(hessian(product, {0, 1})(w, b)[0][1]) == list{2, 0, 0, 4});
}

TEST_CASE("functions of several tensors have directions, batches and programs") {
  test_engine e;
  const tensor w = {1., 2.}, b = {3., 4.};
  CHECK(numbers(jvp(product, {w, b}, {w, tensor()}).second) == list{38});
  CHECK(numbers(vjp(product, {w, b}, tensor(2.)).second[1]) == list{2, 8});
  const tensor rows({{1., 2.}, {3., 5.}});
  CHECK(numbers(vmap(product, {0, std::nullopt})(rows, b)) == list{19, 127});
  CHECK(numbers(vmap(grad(product), {0, std::nullopt})(rows, b)) == list{6, 16, 18, 40});
  const auto slopes = compile([](const tensor& x, const tensor& y) { return grad(product)(x, y); });
  CHECK(numbers(slopes(w, b)) == list{6, 16});
  CHECK(numbers(slopes(b, w)) == list{6, 16});
}

TEST_CASE("arguments that a function does not take are named") {
  test_engine e;
  const tensor w = {1., 2.};
  CHECK(TROUPE_ERROR_OF(grad(product, 2)) ==
        "grad: there is no argument 2: the function takes 2, counted from 0");
  CHECK(TROUPE_ERROR_OF(hessian(product, -1)) ==
        "hessian: there is no argument -1: the function takes 2, counted from 0");
  CHECK(TROUPE_ERROR_OF((value_and_grad(product, {1, 1}))) ==
        "value_and_grad: argument 1 is named twice");
  CHECK(TROUPE_ERROR_OF(jacobian(product, std::initializer_list<int>{})) ==
        "jacobian: no argument is named");
  CHECK(TROUPE_ERROR_OF(vjp(product, {w}, tensor(1.))) ==
        "vjp: the function takes 2 tensors, and there are 1");
  CHECK(TROUPE_ERROR_OF(jvp(product, {w, w, w}, {w, w, w})) ==
        "jvp: the function takes 2 tensors, and there are 3");
}

}  // namespace troupe::testing
