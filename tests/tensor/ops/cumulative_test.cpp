// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/cumulative.hpp"

#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

/// Returns true for equal numbers, up to their last bits.
bool equal(const list& a, const list& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!near(a[i], b[i], 1e-12)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("cumsum adds up along an axis, or over all elements, in the dtype of a sum") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(numbers(cumsum(x)) == list{0, 1, 3, 6, 10, 15});
  CHECK(numbers(cumsum(x, 0)) == list{0, 1, 2, 3, 5, 7});
  CHECK(numbers(cumsum(x, -1)) == list{0, 1, 3, 3, 7, 12});
  CHECK(numbers(cumsum(x.T(), 0)) == list{0, 3, 1, 7, 3, 12});
  CHECK(type_text(cumsum(x.astype(int32), 1)) == "int64[2,3]");
  CHECK(type_text(cumsum(x > 1)) == "int64[6]");
  CHECK(type_text(cumsum(x.astype(float32), 0)) == "float32[2,3]");
  CHECK(type_text(cumsum(zeros({3, 0}), 0)) == "float32[3,0]");
  CHECK(TROUPE_ERROR_OF(cumsum(x, 2)) == "cumsum: axis 2 is out of range for int64[2,3]");
  CHECK(TROUPE_ERROR_OF(cumsum(tensor{})) == "cumsum: the input names no array yet");
}

TEST_CASE("long lines of cumsum, many and few, end in the sum") {
  test_engine e;
  for (const auto& dims : {shape{70'000}, {3, 20'000, 2}, {2, 5, 7'000}, {700, 300}}) {
    const auto x = (arange(dims.size()) % 11 - 5).reshape(dims);
    for (int axis = 0; axis < dims.rank(); ++axis) {
      const auto last = cumsum(x, axis).slice(axis, -1, {});
      REQUIRE(numbers(last) == numbers(sum(x, axis, keepdims)));
    }
  }
}

TEST_CASE("cumprod multiplies along an axis, in the dtype of a product") {
  test_engine e;
  const auto x = arange(1, 7).reshape({2, 3});
  CHECK(numbers(cumprod(x)) == list{1, 2, 6, 24, 120, 720});
  CHECK(numbers(cumprod(x, 0)) == list{1, 2, 3, 4, 10, 18});
  CHECK(numbers(cumprod(x.T(), 0)) == list{1, 4, 2, 20, 6, 120});
  CHECK(type_text(cumprod(x > 1, 1)) == "int64[2,3]");
  CHECK(type_text(cumprod(x.astype(float16), 1)) == "float16[2,3]");
  CHECK(numbers(cumprod(tensor{2., 0., 3., NAN, 1.})).at(2) == 0);
  CHECK(std::isnan(numbers(cumprod(tensor{2., 0., 3., NAN, 1.})).at(4)));
}

TEST_CASE("long products of floats are those of a loop, also where parts of them overflow") {
  test_engine e;
  const auto element = GENERATE(float32, float64);
  list x(300'000, 1), expected;
  const auto set = [&](std::size_t from, std::size_t count, double to) {
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(from), count, to);
  };
  const std::size_t much = element == float32 ? 240 : 2000;  // powers of 2 across most of the range
  set(0, much / 2, 2);
  set(5'000, much, 0.5);
  set(20'000, much, 2);
  set(100'000, much, 0.5);
  set(290'000, 9, -2);
  double product = 1;
  for (const auto one : x) expected.push_back(product *= one);
  const auto y = from_data(x, {300'000}, {.dtype = element});
  const bool of_one = numbers(cumprod(y)) == expected;
  CHECK(of_one);
  const bool of_two = numbers(cumprod(stack({y, y}, 1), 0).slice(1, 1, 2)) == expected;
  CHECK(of_two);
}

TEST_CASE("cummax and cummin keep the greatest and the smallest so far, or NaN") {
  test_engine e;
  const tensor x = {{1., 3., 2.}, {-1., -INFINITY, 5.}};
  CHECK(numbers(cummax(x, 1)) == list{1, 3, 3, -1, -1, 5});
  CHECK(numbers(cummin(x, 1)) == list{1, 1, 1, -1, -INFINITY, -INFINITY});
  CHECK(numbers(cummax(x, 0)) == list{1, 3, 2, 1, 3, 5});
  CHECK(numbers(cummin(x)) == list{1, 1, 1, -1, -INFINITY, -INFINITY});
  CHECK(numbers(cummax(tensor{-INFINITY, -INFINITY, 1.})) == list{-INFINITY, -INFINITY, 1});
  CHECK(type_text(cummax(x > 1, 1)) == "bool[2,3]");
  CHECK(numbers(cummax(x > 1, 1)) == list{0, 1, 1, 0, 0, 1});
  CHECK(type_text(cummin(x.astype(int32))) == "int32[6]");
  for (const auto& y : {cummax(tensor{1., NAN, 7., 0.}), cummin(tensor{1., NAN, 7., 0.})}) {
    CHECK(numbers(y)[0] == 1);
    for (std::size_t i = 1; i < 4; ++i) CHECK(std::isnan(numbers(y)[i]));
  }
}

TEST_CASE("logcumsumexp neither overflows nor loses infinities") {
  test_engine e;
  CHECK(equal(numbers(logcumsumexp(tensor{0., 0., 1000., 1000., -5.})),
              {0, std::log(2), 1000, 1000 + std::log(2), 1000 + std::log(2)}));
  CHECK(numbers(logcumsumexp(tensor{-INFINITY, -INFINITY, 2., INFINITY, 3.})) ==
        list{-INFINITY, -INFINITY, 2, INFINITY, INFINITY});
  CHECK(numbers(logcumsumexp(tensor{-INFINITY, 2., -INFINITY})) == list{-INFINITY, 2, 2});
  CHECK(std::isnan(numbers(logcumsumexp(tensor{1., NAN, 3.}))[2]));
  CHECK(type_text(logcumsumexp(arange(3))) == "float64[3]");
  CHECK(type_text(logcumsumexp(ones({2, 3}), 0)) == "float32[2,3]");
  const auto x = normal({200'000}, 0, 3, float64);
  const auto y = numbers(logcumsumexp(x));
  CHECK(y.back() == Approx(logsumexp(x).item<double>()));
  CHECK(y[99'999] == Approx(logsumexp(x.slice(0, 0, 100'000)).item<double>()));
}

TEST_CASE("long lines of all cumulative operations are those of a loop") {
  test_engine e;
  for (const auto& dims : {shape{300'001}, {2, 150'000}, {70'000, 3}, {9, 20'000}}) {
    const auto x = (arange(dims.size()) * 7919 % 1009 - 500).reshape(dims);
    const auto input = numbers(x);
    for (int axis = 0; axis < dims.rank(); ++axis) {
      CAPTURE(to_string(dims), axis);
      const auto sums = numbers(cumsum(x, axis)), most = numbers(cummax(x, axis)),
                 least = numbers(cummin(x, axis));
      const auto step = static_cast<std::size_t>(axis == 0 && dims.rank() == 2 ? dims[1] : 1);
      const auto length = static_cast<std::size_t>(dims[axis]);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < input.size(); ++i) {
        const bool first = i / step % length == 0;
        wrong += sums[i] != input[i] + (first ? 0 : sums[i - step]);
        wrong += most[i] != (first ? input[i] : std::max(input[i], most[i - step]));
        wrong += least[i] != (first ? input[i] : std::min(input[i], least[i - step]));
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("cumulative operations have gradients, also at zeros") {
  test_engine e;
  const auto x = distinct({3, 4});
  for (const auto axis : {std::optional<int>(0), std::optional<int>(-1), std::optional<int>()}) {
    check_gradient([&](const tensor& y) { return cumsum(y, axis); }, x);
    check_gradient([&](const tensor& y) { return cumprod(y, axis); }, x);
    check_gradient([&](const tensor& y) { return cummax(y, axis); }, x);
    check_gradient([&](const tensor& y) { return cummin(y, axis); }, x);
    check_gradient([&](const tensor& y) { return logcumsumexp(y, axis); }, x);
  }
  check_gradient([](const tensor& y) { return cumprod(y); }, tensor{2., 0., 3., -1.});
  check_gradient([](const tensor& y) { return cumprod(y); }, tensor{0., 2., 0., 3.});
  const auto slopes_of_cumprod = [](const tensor& y) {
    return grad([](const tensor& z) { return sum(sin(cumprod(z))); })(y);
  };
  check_gradient(slopes_of_cumprod, tensor{0., 2., 0., 3.});
  check_gradient(slopes_of_cumprod, distinct({5}));
  check_gradient([](const tensor& y) { return logcumsumexp(y); }, tensor{300., -300., 301., 2.});
  CHECK(numbers(grad([](const tensor& y) { return sum(cummax(y)); })(tensor{1., 3., 3., 2.})) ==
        list{1, 1, 2, 0});
}

TEST_CASE("the gradient of logcumsumexp is 0 at -infinity, and what it was elsewhere") {
  test_engine e;
  const auto slopes = [](const tensor& x) {
    return numbers(grad([](const tensor& y) { return sum(logcumsumexp(y) * arange(1, 4)); })(x));
  };
  CHECK(equal(slopes(tensor{-INFINITY, 2., 2.}), {0, 3.5, 1.5}));
  CHECK(equal(slopes(tensor{2., -INFINITY, 2.}), {4.5, 0, 1.5}));
  CHECK(slopes(tensor{-INFINITY, -INFINITY, -INFINITY}) == list{0, 0, 0});
  CHECK(slopes(astype(tensor{-INFINITY, -INFINITY, 3.}, float16)) == list{0, 0, 3});
}

TEST_CASE("cumulative operations refuse axes that are not there") {
  test_engine e;
  const auto x = ones({2, 3});
  CHECK(TROUPE_ERROR_OF(cumprod(x, 2)) == "cumprod: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(cummax(x, -3)) == "cummax: axis -3 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(cummin(tensor{})) == "cummin: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(logcumsumexp(x, 5)) ==
        "logcumsumexp: axis 5 is out of range for float32[2,3]");
}

TEST_CASE("cumulative sums and products are computed in the dtype that is asked for") {
  test_engine e;
  const auto x = tensor({{100, 100}, {100, 27}}, uint8);
  CHECK(type_text(cumsum(x, uint8, 1)) == "uint8[2,2]");
  CHECK(numbers(cumsum(x, uint8, 1)) == std::vector<double>{100, 200, 100, 127});
  CHECK(numbers(cumsum(x, uint8)) == std::vector<double>{100, 200, 44, 71});
  CHECK(type_text(cumprod(x, float32, 0)) == "float32[2,2]");
  CHECK(numbers(cumprod(x, float32, 0)) == std::vector<double>{100, 100, 10000, 2700});
  CHECK(TROUPE_ERROR_OF(cumsum(ones({2}, complex64), float32)) ==
        "cumsum: complex64[2] as float32: take real, imag or abs of it");
}

}  // namespace troupe::testing
