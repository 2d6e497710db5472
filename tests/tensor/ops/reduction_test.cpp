// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/reduction.hpp"

#include <cmath>

#include "troupe/tensor/autograd/jacobian.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/nan_reductions.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/softmax.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("reductions take all axes, one or several, and keep them on demand") {
  test_engine e;
  const auto x = arange(24).reshape({2, 3, 4});
  CHECK(sum(x).item<int>() == 276);
  CHECK(type_text(sum(x)) == "int64[]");
  CHECK(type_text(sum(x, 1)) == "int64[2,4]");
  CHECK(numbers(sum(x, {0, 2})) == list{60, 92, 124});
  CHECK(type_text(sum(x, {0, -1}, keepdims)) == "int64[1,3,1]");
  CHECK(type_text(sum(x, {}, keepdims)) == "int64[1,1,1]");
  CHECK(numbers(sum(x.T(), 0)) == numbers(sum(x, -1).T()));
  CHECK(x.mean().item<double>() == 11.5);
  CHECK(numbers(x.max({0, 1})) == list{20, 21, 22, 23});
  CHECK(numbers(sum(x, axes(std::span<const int>()))) == numbers(x));
}

TEST_CASE("reductions have NumPy's dtypes") {
  test_engine e;
  CHECK(sum(ones({2}, boolean)).dtype() == int64);
  CHECK(sum(ones({2}, int32)).dtype() == int64);
  CHECK(prod(ones({2})).dtype() == float32);
  CHECK(mean(ones({2}, int32)).dtype() == float64);
  CHECK(mean(ones({2})).dtype() == float32);
  CHECK(max(ones({2}, int32)).dtype() == int32);
  CHECK(any(ones({2})).dtype() == boolean);
  CHECK(argmax(ones({2})).dtype() == int64);
  CHECK(norm(ones({2}, int32)).dtype() == float64);
}

TEST_CASE("statistics agree with their definitions") {
  test_engine e;
  const tensor x = {{1., 2., 4.}, {3., 3., -6.}};
  CHECK(numbers(var(x, 1))[0] == Approx(14. / 9));
  CHECK(numbers(var(x, 1, 1))[0] == Approx(7. / 3));
  CHECK(numbers(stddev(x, 1))[0] == Approx(std::sqrt(14. / 9)));
  CHECK(type_text(x.var(0, 0, keepdims)) == "float64[1,3]");
  CHECK(numbers(var(x, 0, keepdims)) == numbers(var(x, 0)));
  CHECK(type_text(var(x, 0, keepdims)) == "float64[1,3]");
  CHECK(type_text(x.var(0, keepdims)) == "float64[1,3]");
  CHECK(type_text(stddev(x, 0, keepdims)) == "float64[1,3]");
  CHECK(type_text(x.stddev(1, keepdims)) == "float64[2,1]");
  CHECK(norm(x).item<double>() == Approx(std::sqrt(75.)));
  CHECK(prod(x).item<double>() == -432);
  CHECK(logsumexp(tensor{1000., 1000.}).item<double>() == Approx(1000 + std::log(2.)));
  CHECK(numbers(argmax(x, 1)) == list{2, 0});
  CHECK(numbers(argmin(x, 0, keepdims)) == list{0, 0, 1});
  CHECK(argmin(x).item<int>() == 5);
  CHECK(all(x > -7).item<bool>());
  CHECK_FALSE(any(x > 7).item<bool>());
}

TEST_CASE("max and min of numbers with a NaN are NaN") {
  test_engine e;
  const tensor x = {1., NAN, 3.};
  CHECK(std::isnan(max(x).item<double>()));
  CHECK(std::isnan(min(x).item<double>()));
  CHECK(argmax(x).item<int>() == 1);
  CHECK(std::isnan(sum(x).item<double>()));
}

TEST_CASE("products have derivatives of any order, also at zeros") {
  test_engine e;
  const auto slopes = [](const axes& over) {
    return [over](const tensor& x) {
      return grad([&](const tensor& y) { return sum(sin(prod(y, over))); })(x);
    };
  };
  for (const auto& x : {tensor{{0., 2., 3.}, {0., 0., -1.}}, distinct({2, 3})}) {
    for (const auto& over : {axes(), axes(0), axes(-1), axes({-1, 0})}) {
      check_gradient([&](const tensor& y) { return prod(y, over); }, x);
      check_gradient(slopes(over), x);
    }
  }
  check_gradient([](const tensor& x) { return prod(x, {0, 2}); }, distinct({2, 3, 2}));
  const auto second = hessian([](const tensor& x) { return prod(x); })(tensor{0., 0., 3.});
  CHECK(numbers(second) == list{0, 3, 0, 3, 0, 0, 0, 0, 0});
  CHECK(numbers(grad([](const tensor& x) { return prod(x); })(tensor{2.})) == list{1});
}

TEST_CASE("norms and deviations have the gradient 0 where they are 0") {
  test_engine e;
  const auto at = [](auto f, const tensor& x) { return numbers(grad(f)(x)); };
  CHECK(at([](const tensor& x) { return norm(x); }, zeros({2})) == list{0, 0});
  CHECK(at([](const tensor& x) { return norm(x); }, tensor{0., 4.}) == list{0, 1});
  CHECK(at([](const tensor& x) { return sum(norm(x, 1)); }, tensor{{0., 0.}, {0., 2.}}) ==
        list{0, 0, 0, 1});
  CHECK(at([](const tensor& x) { return stddev(x); }, full({3}, 7.)) == list{0, 0, 0});
  CHECK(at([](const tensor& x) { return nanstddev(x); }, full({3}, 7.)) == list{0, 0, 0});
  CHECK(at([](const tensor& x) { return norm(x); }, astype(zeros({2}), float16)) == list{0, 0});
  CHECK(numbers(hessian([](const tensor& x) { return norm(x); })(zeros({1}))) == list{0});
}

TEST_CASE("reducing nothing gives what NumPy gives, or is refused") {
  test_engine e;
  const auto x = zeros({0, 3});
  CHECK(sum(x).item<double>() == 0);
  CHECK(numbers(prod(x, 0)) == list{1, 1, 1});
  CHECK(std::isnan(mean(x).item<double>()));
  CHECK(std::isinf(logsumexp(x).item<double>()));
  CHECK_FALSE(any(x).item<bool>());
  CHECK(all(x).item<bool>());
  CHECK(type_text(max(x, 1)) == "float32[0]");
  CHECK(type_text(sum(x, 1)) == "float32[0]");
  CHECK(TROUPE_ERROR_OF(max(x)) == "max: no elements to choose from in float32[0,3]");
  CHECK(TROUPE_ERROR_OF(min(x, 0)) == "min: no elements to choose from in float32[0,3]");
  CHECK(TROUPE_ERROR_OF(argmax(x)) == "argmax: no elements to choose from in float32[0,3]");
}

TEST_CASE("reductions refuse axes that do not exist") {
  test_engine e;
  const auto x = zeros({2, 3});
  CHECK(TROUPE_ERROR_OF(sum(x, 2)) == "sum: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(x.mean(-3)) == "mean: axis -3 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(sum(x, {1, -1})) == "sum: axis 1 is named twice");
  CHECK(TROUPE_ERROR_OF(sum(x, {0, 1, 0})) ==
        "sum: 3 axes are named for float32[2,3], which has 2");
  CHECK(TROUPE_ERROR_OF(sum(tensor{})) == "sum: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(softmax(zeros({}))) == "softmax: axis -1 is out of range for float32[]");
}

TEST_CASE("softmax sums to one along its axis and does not overflow") {
  test_engine e;
  const tensor x = {{1000., 1001., 999.}, {0., 0., 0.}};
  const auto rows = numbers(softmax(x).sum(1));
  CHECK(rows[0] == Approx(1));
  CHECK(numbers(softmax(x))[3] == Approx(1. / 3));
  CHECK(numbers(softmax(x, 0).sum(0))[2] == Approx(1));
  CHECK(numbers(log_softmax(x))[4] == Approx(-std::log(3.)));
  CHECK(softmax(arange(3)).dtype() == float64);
  CHECK(type_text(softmax(zeros({0, 3}))) == "float32[0,3]");
}

TEST_CASE("softmax along several axes divides by one sum of them") {
  test_engine e;
  const auto x = sin(arange(24, {.dtype = float64}).reshape({2, 3, 4}) * 5.);
  for (const auto& over : {axes{1, 2}, axes{2, 0}, axes{0, 1, 2}, axes{-2}}) {
    const auto wanted = exp(x) / sum(exp(x), over, keepdims);
    CHECK(all(abs(softmax(x, over) - wanted) < 1e-12).item<bool>());
    CHECK(all(abs(log_softmax(x, over) - log(wanted)) < 1e-12).item<bool>());
  }
  CHECK(numbers(softmax(x, axes(std::vector<int>()))) == list(24, 1));
  CHECK(type_text(softmax(zeros({2, 0, 3}), {0, 1})) == "float32[2,0,3]");
  check_gradient([](const tensor& t) { return softmax(t, {2, 0}); }, x);
  CHECK(TROUPE_ERROR_OF(softmax(x, {0, 3})) ==
        "softmax: axis 3 is out of range for float64[2,3,4]");
}

TEST_CASE("count_nonzero counts what differs from 0") {
  test_engine e;
  const tensor x = {{0., 1., NAN}, {-0., 0., 2.}};
  CHECK(count_nonzero(x).item<int>() == 3);
  CHECK(type_text(count_nonzero(x)) == "int64[]");
  CHECK(numbers(count_nonzero(x, 0)) == list{0, 1, 2});
  CHECK(type_text(count_nonzero(x, -1, keepdims)) == "int64[2,1]");
  CHECK(count_nonzero(x > 0).item<int>() == 2);
  CHECK(count_nonzero(full({}, 3)).item<int>() == 1);
  CHECK(numbers(count_nonzero(zeros({2, 0}), 1)) == list{0, 0});
  CHECK(TROUPE_ERROR_OF(count_nonzero(x, 2)) ==
        "count_nonzero: axis 2 is out of range for float64[2,3]");
  CHECK(TROUPE_ERROR_OF(count_nonzero(tensor{})) == "count_nonzero: the input names no array yet");
}

TEST_CASE("diff subtracts from each element the one before it, so many times") {
  test_engine e;
  const tensor x = {{1, 4, 9}, {0, 5, 2}};
  CHECK(numbers(diff(x)) == list{3, 5, 5, -3});
  CHECK(numbers(diff(x, 2)) == list{2, -8});
  CHECK(numbers(diff(x, 1, 0)) == list{-1, 1, -7});
  CHECK(numbers(diff(x.T(), 1, -2)) == list{3, 5, 5, -3});
  CHECK(numbers(diff(x, 0)) == numbers(x));
  CHECK(type_text(diff(x, INT64_MAX)) == "int64[2,0]");
  CHECK(type_text(diff(x.astype(int32))) == "int32[2,2]");
  CHECK(type_text(diff(zeros({0, 2}))) == "float32[0,1]");
  CHECK(numbers(diff(x > 3)) == list{1, 0, 1, 1});
  CHECK(type_text(diff(x > 3)) == "bool[2,2]");
  check_gradient([](const tensor& y) { return diff(y, 2); }, distinct({2, 4}));
  CHECK(TROUPE_ERROR_OF(diff(x, -1)) == "diff: negative times -1");
  CHECK(TROUPE_ERROR_OF(diff(x, 1, 2)) == "diff: axis 2 is out of range for int64[2,3]");
  CHECK(TROUPE_ERROR_OF(diff(full({}, 3))) == "diff: axis -1 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(diff(tensor{})) == "diff: the input names no array yet");
}

TEST_CASE("sums and products are computed in the dtype that is asked for") {
  test_engine e;
  const auto x = tensor({{100, 100}, {100, 27}}, uint8);
  CHECK(type_text(sum(x, uint8)) == "uint8[]");
  CHECK(sum(x, uint8).item<int>() == (327 & 255));
  CHECK(sum(x, int16).item<int>() == 327);
  CHECK(numbers(sum(x, float64, 0, keepdims)) == std::vector<double>{200, 127});
  CHECK(type_text(sum(x, float64, 0, keepdims)) == "float64[1,2]");
  CHECK(type_text(sum(x, float16)) == "float16[]");
  CHECK(sum(x, boolean).item<int>() == 1);
  CHECK(sum(x, complex64).item<std::complex<double>>() == 327.);
  CHECK(type_text(prod(x, int8, 1)) == "int8[2]");
  CHECK(numbers(prod(x, int64, 1)) == std::vector<double>{10000, 2700});
  CHECK(numbers(prod(x, int8, 1)) == std::vector<double>{16, -116});
  const auto third = full({3}, 1.0f / 3);
  CHECK(sum(third, float64).item() == 3 * double(1.0f / 3));
  CHECK(TROUPE_ERROR_OF(sum(ones({2}, complex64), float32)) ==
        "sum: complex64[2] as float32: take real, imag or abs of it");
  CHECK(TROUPE_ERROR_OF(prod(tensor{}, float32)) == "prod: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(sum(x, int32, 2)) == "sum: axis 2 is out of range for int32[2,2]");
}

}  // namespace troupe::testing
