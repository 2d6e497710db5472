// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/polynomials.hpp"

#include "troupe/tensor/ops/comparing.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

bool near(const tensor& x, const tensor& y) { return allclose(x, y, 1e-12, 1e-12).item<bool>(); }

}  // namespace

TEST_CASE("polyval has the highest power first") {
  test_engine e;
  CHECK(numbers(polyval(tensor{1, 2, 3}, tensor{0., 1., 2.5})) == list{3, 6, 14.25});
  CHECK(type_text(polyval(tensor{1, 2, 3}, tensor{{0, 1}})) == "int64[1,2]");
  CHECK(numbers(polyval(tensor{7.}, tensor{1., 2.})) == list{7, 7});
  CHECK(numbers(polyval(zeros({0}), tensor{1., 2.})) == list{0, 0});
  check_gradient([](const tensor& x) { return polyval(x, x); }, distinct({3}));
  CHECK(TROUPE_ERROR_OF(polyval(ones({1, 2}), ones({2}))) ==
        "polyval: not a vector of coefficients: float32[1,2]");
}

TEST_CASE("polyfit finds the polynomial that points lie on, or are nearest to") {
  test_engine e;
  CHECK(near(polyfit(tensor{0, 1, 2, 3}, tensor{1, 3, 7, 13}, 2), tensor{1., 1., 1.}));
  CHECK(near(polyfit(tensor{0., 1., 2., 3.}, tensor{1., 2., 2., 4.}, 1), tensor{0.9, 0.9}));
  CHECK(near(polyfit(tensor{0., 1., 2.}, tensor{{1., 2.}, {2., 0.}, {3., 1.}}, 1),
             tensor{{1., -0.5}, {1., 1.5}}));
  CHECK(near(polyfit(tensor{0., 0.}, tensor{1., 3.}, 1), tensor{0., 2.}));
  CHECK(type_text(polyfit(ones({4}), ones({4}), 2)) == "float32[3]");
  const auto far = tensor{1'000'000., 1'000'001., 1'000'002.};
  const auto line = polyval(polyfit(far, tensor{1., 2., 3.}, 1), far);
  CHECK(allclose(line, tensor{1., 2., 3.}, 1e-8, 1e-8).item<bool>());
  CHECK(TROUPE_ERROR_OF(polyfit(ones({3}), ones({2}), 1)) ==
        "polyfit: not a value, or a row of them, for each place: float32[3] and float32[2]");
  CHECK(TROUPE_ERROR_OF(polyfit(ones({0}), ones({0}), 1)) ==
        "polyfit: no points: float32[0] and float32[0]");
  CHECK(TROUPE_ERROR_OF(polyfit(ones({3}), ones({3}), -1)) == "polyfit: negative degree -1");
}

}  // namespace troupe::testing
