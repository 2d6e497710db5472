// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/signals.hpp"

#include <cmath>
#include <complex>

#include "troupe/tensor/ops/comparing.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("trapezoid integrates along an axis, at equal or given distances") {
  test_engine e;
  const tensor y = {{1., 2., 3.}, {4., 4., 4.}};
  CHECK(numbers(trapezoid(y)) == list{4, 8});
  CHECK(numbers(trapezoid(y, 2.)) == list{8, 16});
  CHECK(numbers(trapezoid(y, 1., 0)) == list{2.5, 3, 3.5});
  CHECK(numbers(trapezoid(y, tensor{0., 1., 3.})) == list{6.5, 12});
  CHECK(numbers(trapezoid(y, y)) == list{4, 0});
  CHECK(type_text(trapezoid(tensor{1, 2})) == "float64[]");
  CHECK(numbers(trapezoid(zeros({2, 0}))) == list{0, 0});
  check_gradient([](const tensor& x) { return trapezoid(x, 0.5, 0); }, distinct({3, 2}));
  CHECK(TROUPE_ERROR_OF(trapezoid(y, 1., 2)) ==
        "trapezoid: axis 2 is out of range for float64[2,3]");
  CHECK(TROUPE_ERROR_OF(trapezoid(y, ones({2}))) ==
        "trapezoid: not a place for each sample: float64[2,3] and float32[2]");
}

TEST_CASE("gradient has the slopes along an axis, at equal or given distances") {
  test_engine e;
  CHECK(numbers(gradient(tensor{1, 2, 4, 7})) == list{1, 1.5, 2.5, 3});
  CHECK(numbers(gradient(tensor{1., 4., 9., 25.}, tensor{1, 2, 3, 5})) == list{3, 4, 6, 8});
  const tensor x = {{3., 1., 2.}, {6., 5., 4.}};
  CHECK(numbers(gradient(x, 1., 0)) == list{3, 4, 2, 3, 4, 2});
  CHECK(numbers(gradient(tensor{1., 1e20, 2.})) == list{1e20, 0.5, -1e20});
  CHECK(numbers(gradient(x, 2.)) == list{-1, -0.25, 0.5, -0.5, -0.5, -0.5});
  CHECK(numbers(gradient(x, tensor{0., 2., 6.}, 1)) ==
        numbers(tensor{{-1., -7. / 12, 0.25}, {-0.5, -5. / 12, -0.25}}));
  check_gradient([](const tensor& y) { return gradient(y, 0.5); }, distinct({2, 4}));
  CHECK(TROUPE_ERROR_OF(gradient(tensor{1.})) == "gradient: fewer than two samples: float64[1]");
  CHECK(TROUPE_ERROR_OF(gradient(x, ones({2}))) ==
        "gradient: not a place for each sample: float64[2,3] and float32[2]");
  CHECK(TROUPE_ERROR_OF(gradient(x, 1., 2)) == "gradient: axis 2 is out of range for float64[2,3]");
}

TEST_CASE("convolve and correlate have NumPy's modes, whichever vector is longer") {
  test_engine e;
  for (const auto element : {float64, int64}) {
    const auto x = astype(tensor{1., 2., 3., 4.}, element), y = astype(tensor{0., 1., 2.}, element);
    CHECK(numbers(convolve(x, y)) == list{0, 1, 4, 7, 10, 8});
    CHECK(numbers(convolve(x, y, "same")) == list{1, 4, 7, 10});
    CHECK(numbers(convolve(x, y, "valid")) == list{4, 7});
    CHECK(numbers(convolve(y, x, "valid")) == list{4, 7});
    CHECK(numbers(correlate(x, y)) == list{8, 11});
    CHECK(numbers(correlate(y, x)) == list{11, 8});
    CHECK(numbers(correlate(x, y, "full")) == list{2, 5, 8, 11, 4, 0});
    CHECK(numbers(correlate(x, y, "same")) == list{5, 8, 11, 4});
    CHECK(numbers(correlate(y, x, "same")) == list{4, 11, 8, 5});
    CHECK(convolve(x, y).dtype() == element);
  }
  CHECK(type_text(convolve(tensor{1, 2}, tensor{0.5})) == "float64[2]");
  CHECK(numbers(convolve(arange(6), arange(4), "same")) == list{0, 1, 4, 10, 16, 22});
  check_gradient([](const tensor& x) { return convolve(x, x + 1., "same"); }, distinct({4}));
  check_gradient([](const tensor& x) { return correlate(ones({7}, float64) * 2., x); },
                 distinct({3}));
}

TEST_CASE("correlate takes the conjugates of the second vector, convolve does not") {
  test_engine e;
  using pair = std::complex<double>;
  const auto x = complex(tensor{1., 2., 3.}, zeros({3}, float64));
  const auto y = complex(tensor{0., 0.}, tensor{0., 1.});
  CHECK(correlate(x, y).to_vector<pair>() == std::vector<pair>{{0, -2}, {0, -3}});
  CHECK(correlate(y, x).to_vector<pair>() == std::vector<pair>{{0, 3}, {0, 2}});
  CHECK(convolve(x, y, "valid").to_vector<pair>() == std::vector<pair>{{0, 1}, {0, 2}});
}

TEST_CASE("convolve and correlate meet infinity and NaN only where the vectors overlap") {
  test_engine e;
  CHECK(numbers(convolve(tensor{1., 2., 3.}, tensor{INFINITY, 1.})) ==
        list{INFINITY, INFINITY, INFINITY, 3});
  CHECK(numbers(correlate(tensor{0.5, 1., 2.}, tensor{1., -INFINITY}, "same")) ==
        list{-INFINITY, -INFINITY, -INFINITY});
  const auto element = GENERATE(float32, float64, float16);
  for (const auto& sizes : {shape{3, 2}, {70, 70}, {200, 131}, {301, 300}}) {
    const auto n = sizes[0], m = sizes[1];
    CAPTURE(to_string(sizes), name(element));
    list x(static_cast<std::size_t>(n)), y(static_cast<std::size_t>(m));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 7 % 5) - 2;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i * 3 % 4);
    const auto check = [&] {
      list sums(x.size() + y.size() - 1);
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t k = 0; k < y.size(); ++k) sums[i + k] += x[i] * y[k];
      }
      const auto a = from_data(x, {n}, {.dtype = element}), b = from_data(y, {m});
      const auto expected = from_data(sums, {n + m - 1});
      const auto by = b.astype(element);
      CHECK(array_equal(convolve(a, by), expected, true).item<bool>());
      CHECK(array_equal(correlate(by, flip(a), "full"), expected, true).item<bool>());
      const auto begin = (m - 1) / 2;
      CHECK(array_equal(convolve(a, by, "same"), slice(expected, 0, begin, begin + n), true)
                .item<bool>());
    };
    check();
    y.back() = INFINITY;
    check();
    y.front() = NAN;
    check();
    x[1] = -INFINITY;
    check();
  }
}

TEST_CASE("convolve and correlate refuse what are not two vectors, and other modes") {
  test_engine e;
  const auto x = ones({3});
  CHECK(TROUPE_ERROR_OF(convolve(x, ones({2, 2}))) ==
        "convolve: not two vectors: float32[3] and float32[2,2]");
  CHECK(TROUPE_ERROR_OF(correlate(x, zeros({0}))) ==
        "correlate: a vector is empty: float32[3] and float32[0]");
  CHECK(TROUPE_ERROR_OF(convolve(x, x, "wide")) ==
        "convolve: the mode is full, same or valid, not wide");
  CHECK(TROUPE_ERROR_OF(convolve(x, tensor{})) == "convolve: input 1 names no array yet");
}

TEST_CASE("complex sums that no infinity is part of stay finite") {
  test_engine e;
  using number = std::complex<double>;
  const auto x = astype(tensor{1., 2., 3.}, complex128);
  const auto all = convolve(x, tensor{1., 2., INFINITY}).to_vector<number>();
  CHECK(all[0] == number(1));
  CHECK(all[1] == number(4));
  const auto with = correlate(x, tensor{NAN, 2., 1.}, "full").to_vector<number>();
  CHECK(with[0] == number(1));
  CHECK(with[1] == number(4));
}

}  // namespace troupe::testing
