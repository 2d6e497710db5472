// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/histogram.hpp"

#include <cmath>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("histogram counts between edges, the last one included") {
  test_engine e;
  const auto [counts, edges] = histogram(tensor{0., 1., 1., 2., 3., 4.}, 4);
  CHECK(numbers(counts) == list{1, 2, 1, 2});
  CHECK(numbers(edges) == list{0, 1, 2, 3, 4});
  CHECK(type_text(counts) == "int64[4]");
  CHECK(type_text(edges) == "float64[5]");
  CHECK(type_text(histogram(ones({2, 3})).edges) == "float32[11]");
  CHECK(type_text(histogram(ones({2}, int32), 2).edges) == "float64[3]");
  CHECK(numbers(histogram(tensor{0., 5., 9., 10., 11., NAN}, 2, std::pair(0., 10.)).counts) ==
        list{1, 3});
  CHECK(numbers(histogram(full({7}, 3), 2).edges) == list{2.5, 3, 3.5});
  CHECK(numbers(histogram(full({7}, 3), 2).counts) == list{0, 7});
  CHECK(numbers(histogram(zeros({0}), 2).counts) == list{0, 0});
  CHECK(numbers(histogram(tensor{1., NAN}, 2).counts) == list{0, 0});
}

TEST_CASE("histogram counts between given edges") {
  test_engine e;
  const tensor x = {0., 1., 1., 2., 5., 9., NAN};
  const auto [counts, edges] = histogram(x, tensor{1., 2., 5.});
  CHECK(numbers(counts) == list{2, 2});
  CHECK(type_text(counts) == "int64[2]");
  CHECK(numbers(edges) == list{1, 2, 5});
  CHECK(numbers(histogram(arange(6), tensor{0.5, 3.}).counts) == list{3});
  CHECK(numbers(histogram(zeros({0}), tensor{0, 1}).counts) == list{0});
  CHECK(TROUPE_ERROR_OF(histogram(x, tensor{1.})) == "histogram: no edges of bins: float64[1]");
  CHECK(TROUPE_ERROR_OF(histogram(x, ones({2, 2}))) == "histogram: no edges of bins: float32[2,2]");
}

TEST_CASE("histograms of narrow floats have ranges beyond them, and edges in float32") {
  test_engine e;
  const auto x = astype(tensor{-1., 10., 60'000., 65'000.}, float16);
  const auto [counts, edges] = histogram(x, 4, std::pair(0., 200'000.));
  CHECK(numbers(counts) == list{1, 2, 0, 0});
  CHECK(type_text(edges) == "float32[5]");
  CHECK(numbers(edges) == list{0, 50'000, 100'000, 150'000, 200'000});
  CHECK(numbers(histogram(astype(x, bfloat16), 1, std::pair(0., 1e20)).counts) == list{3});
}

TEST_CASE("bincount has gradients of its weights") {
  test_engine e;
  const auto slopes = grad([](const tensor& weights) {
    return sum(bincount(tensor{1, 3, 1}, weights) * tensor{7., 2., 7., 5.});
  });
  CHECK(numbers(slopes(ones({3}, float64))) == list{2, 5, 2});
}

TEST_CASE("bincount counts integers from 0 on, or adds up their weights") {
  test_engine e;
  CHECK(numbers(bincount(tensor{1, 3, 1})) == list{0, 2, 0, 1});
  CHECK(type_text(bincount(tensor{1, 3, 1})) == "int64[4]");
  CHECK(numbers(bincount(tensor{1}, {}, 4)) == list{0, 1, 0, 0});
  CHECK(numbers(bincount(tensor{1, 3, 1}, tensor{0.5, 2., 1.})) == list{0, 1.5, 0, 2});
  CHECK(type_text(bincount(zeros({0}, int32))) == "int64[0]");
  CHECK(numbers(bincount(zeros({0}, int32), {}, 2)) == list{0, 0});
  CHECK(numbers(bincount(tensor{true, false, true})) == list{1, 2});
}

TEST_CASE("histogram and bincount refuse what cannot be counted") {
  test_engine e;
  const auto x = ones({3});
  CHECK(TROUPE_ERROR_OF(histogram(x, 0)) == "histogram: 0 bins");
  CHECK(TROUPE_ERROR_OF(histogram(x, 2, std::pair(3., 1.))) == "histogram: no range: 3.0 to 1.0");
  constexpr auto many = std::int64_t{1} << 62;
  CHECK(TROUPE_ERROR_OF(histogram(x, many)) == "histogram: 4611686018427387904 bins are too many");
  CHECK(TROUPE_ERROR_OF(bincount(tensor{2}, {}, many)) ==
        "bincount: the least number 4611686018427387904 is too large");
  CHECK(TROUPE_ERROR_OF(bincount(full({1}, many))) == "bincount: 4611686018427387904 is too large");
  CHECK(TROUPE_ERROR_OF(bincount(x)) == "bincount: not a vector of integers: float32[3]");
  CHECK(TROUPE_ERROR_OF(bincount(ones({1, 2}, int64))) ==
        "bincount: not a vector of integers: int64[1,2]");
  CHECK(TROUPE_ERROR_OF(bincount(tensor{2, -3})) == "bincount: there is -3 in int64[2]");
  CHECK(TROUPE_ERROR_OF(bincount(tensor{2}, {}, -1)) == "bincount: negative least number -1");
  CHECK(TROUPE_ERROR_OF(bincount(tensor{2, 3}, x)) ==
        "bincount: not a weight for each element: int64[2] and float32[3]");
}

}  // namespace troupe::testing
