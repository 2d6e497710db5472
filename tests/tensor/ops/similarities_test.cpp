// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/similarities.hpp"

#include <cmath>
#include <limits>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("normalize makes vectors as long as 1, but for those that hardly have a length") {
  test_engine e;
  const tensor x = {{3., 4.}, {0., 0.}};
  CHECK(numbers(normalize(x)) == list{0.6, 0.8, 0, 0});
  CHECK(numbers(normalize(tensor{3, 4})) == list{0.6, 0.8});
  CHECK(numbers(normalize(x, 0)) == list{1, 1, 0, 0});
  CHECK(numbers(normalize(x, -1, 10)) == list{0.3, 0.4, 0, 0});
  CHECK(TROUPE_ERROR_OF(normalize(x, 2)) == "normalize: axis 2 is out of range for float64[2,2]");
}

TEST_CASE("the cosine of the angle between vectors") {
  test_engine e;
  const tensor x = {{1., 0.}, {1., 1.}, {0., 0.}}, y = {2., 0.};
  const auto found = numbers(cosine_similarity(x, y));
  CHECK(found[0] == 1);
  CHECK(std::abs(found[1] - std::sqrt(0.5)) < 1e-15);
  CHECK(found[2] == 0);
  const auto as_narrow = [](double a, double b) { return tensor({a, b}).astype(float16); };
  CHECK(cosine_similarity(as_narrow(300, 400), as_narrow(300, 400)).item() == 1);
  CHECK(cosine_similarity(as_narrow(600, 0), as_narrow(100, 100)).item() ==
        Approx(0.707).epsilon(0.001));
  CHECK(type_text(cosine_similarity(ones({4, 1, 3}), ones({5, 3}))) == "float32[4,5]");
}

TEST_CASE("the distances of all pairs of points") {
  test_engine e;
  const tensor x = {{0., 0.}, {3., 4.}}, y = {{0., 0.}, {3., 0.}, {6., 8.}};
  CHECK(numbers(cdist(x, y)) == list{0, 3, 10, 5, 4, 5});
  CHECK(numbers(cdist(x, y, 1)) == list{0, 3, 14, 7, 4, 7});
  CHECK(numbers(cdist(x, y, std::numeric_limits<double>::infinity())) == list{0, 3, 8, 4, 4, 4});
  CHECK(type_text(cdist(ones({7, 2, 3}), ones({4, 3}))) == "float32[7,2,4]");
  const auto slope = grad([&](const tensor& v) { return sum(cdist(v, y)); })(x);
  CHECK(std::abs(numbers(slope)[0] - (0 - 1 - 0.6)) < 1e-12);  // none where points are equal
  const auto cubic = grad([](const tensor& v) { return sum(cdist(v, v, 3)); })(x);
  CHECK(std::abs(numbers(cubic)[0] + 2 * 9 / std::pow(91., 2. / 3)) < 1e-12);
  CHECK(TROUPE_ERROR_OF(cdist(x, ones({2, 3}, float64))) ==
        "cdist: points are [..., n, d] and [..., m, d]: float64[2,2] and float64[2,3]");
  CHECK(TROUPE_ERROR_OF(cdist(x, y, 0.5)) == "cdist: the order is 0.500000");
}

}  // namespace troupe::testing
