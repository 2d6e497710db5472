// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/interpolation.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("interp is linear between points, and constant outside") {
  test_engine e;
  const tensor places = {0, 1, 3}, values = {5, 7, 1};
  CHECK(numbers(interp(tensor{-1., 0., 0.5, 1., 2.5, 3., 9.}, places, values)) ==
        list{5, 5, 6, 7, 2.5, 1, 1});
  CHECK(numbers(interp(tensor{-1., 9., 3., 0.}, places, values, {.left = -5, .right = -7})) ==
        list{-5, -7, 1, 5});
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(numbers(interp(tensor{-infinite, infinite}, places, values)) == list{5, 1});
  CHECK(std::isnan(interp(full({}, NAN, float64), places, values).item<double>()));
  CHECK(numbers(interp(tensor{0., 1., 2.}, tensor{1.}, tensor{4.})) == list{4, 4, 4});
  CHECK(numbers(interp(tensor{0.5, 1., 2.}, tensor{0., 1., 1.}, tensor{0., 2., 4.})) ==
        list{1, 4, 4});
  CHECK(type_text(interp(tensor{{0, 1}}, places, values)) == "float64[1,2]");
  CHECK(type_text(interp(ones({2}), ones({3}), ones({3}))) == "float32[2]");
  const tensor at = {0.25, 1.5, 2.75};
  check_gradient([&](const tensor& x) { return interp(x, astype(places, float64), x); }, at);
  CHECK(TROUPE_ERROR_OF(interp(at, places, tensor{1., 2.})) ==
        "interp: points are two vectors of the same length: int64[3] and float64[2]");
  CHECK(TROUPE_ERROR_OF(interp(at, zeros({0}), zeros({0}))) ==
        "interp: no points: float32[0] and float32[0]");
}

TEST_CASE("digitize numbers the intervals between edges") {
  test_engine e;
  const tensor x = {0.5, 1., 2.5, 9.}, edges = {1, 2, 3};
  CHECK(numbers(digitize(x, edges)) == list{0, 1, 2, 3});
  CHECK(numbers(digitize(x, edges, true)) == list{0, 0, 2, 3});
  CHECK(TROUPE_ERROR_OF(digitize(x, full({}, 3))) == "digitize: not a vector of edges: int64[]");
}

TEST_CASE("complex values are interpolated between real places") {
  test_engine e;
  using number = std::complex<double>;
  const auto values = complex(tensor{0., 2.}, tensor{1., 3.});
  const auto found = interp(tensor{0.5, 0., 9.}, tensor{0., 1.}, values);
  CHECK(found.to_vector<number>() == std::vector<number>{{1, 2}, {0, 1}, {2, 3}});
  CHECK(TROUPE_ERROR_OF(interp(values, tensor{0., 1.}, values)) ==
        "interp: complex numbers have no order: complex128[2] and float64[2]");
}

}  // namespace troupe::testing
