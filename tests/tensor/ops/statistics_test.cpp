// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/statistics.hpp"

#include <cmath>

#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("an average counts each element as much as it weighs") {
  test_engine e;
  const tensor x = {{3., 1., 2.}, {6., 5., 4.}};
  CHECK(numbers(average(x, tensor{1, 3}, 0)) == list{5.25, 4, 3.5});
  CHECK(numbers(average(x, tensor{1., 2., 1.}, -1)) == list{1.75, 5});
  CHECK(numbers(average(x, x)) == list{91. / 21});
  CHECK(type_text(average(x, x, 1, keepdims)) == "float64[2,1]");
  CHECK(type_text(average(tensor{1, 2}, tensor{1, 2})) == "float64[]");
  CHECK(std::isnan(average(x, x * 0.).item<double>()));
  check_gradient([](const tensor& y) { return average(y, y * y, 0); }, distinct({3, 2}));
  CHECK(TROUPE_ERROR_OF(average(x, tensor{1., 2.})) ==
        "average: not a weight for each element: float64[2,3] and float64[2]");
  CHECK(TROUPE_ERROR_OF(average(x, tensor{1., 2.}, 1)) ==
        "average: not a weight for each element: float64[2,3] and float64[2]");
  CHECK(TROUPE_ERROR_OF(average(x, x, 2)) == "average: axis 2 is out of range for float64[2,3]");
}

TEST_CASE("covariances and correlations are those of the rows") {
  test_engine e;
  const tensor x = {{3., 1., 2.}, {6., 5., 4.}};
  CHECK(numbers(cov(x)) == list{1, 0.5, 0.5, 1});
  CHECK(numbers(cov(x, 1) * 2. / 3.) == numbers(cov(x, 0)));
  CHECK(numbers(cov(tensor{1, 2, 3})) == list{1});
  CHECK(cov(tensor{1, 2, 3}).rank() == 0);
  CHECK(numbers(corrcoef(x)) == list{1, 0.5, 0.5, 1});
  CHECK(numbers(corrcoef(tensor{1., 2., 5.})) == list{1});
  CHECK(std::isnan(cov(tensor{1.}).item<double>()));
  const auto z = complex(tensor{{1., 3.}, {0., 1.}}, tensor{{2., 0.}, {2., 0.}});
  CHECK(numbers(real(cov(z))) == list{4, 3, 3, 2.5});
  CHECK(numbers(imag(cov(z))) == list{0, 1, -1, 0});
  check_gradient([](const tensor& y) { return cov(y); }, distinct({2, 3}));
  check_gradient([](const tensor& y) { return corrcoef(y)(0, 1); }, distinct({2, 4}));
  CHECK(TROUPE_ERROR_OF(cov(ones({1, 2, 3}))) ==
        "cov: neither a matrix nor a vector: float32[1,2,3]");
  CHECK(TROUPE_ERROR_OF(corrcoef(full({}, 3))) ==
        "corrcoef: neither a matrix nor a vector: int64[]");
}

}  // namespace troupe::testing
