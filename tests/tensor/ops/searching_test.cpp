// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/searching.hpp"

#include <algorithm>
#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("searchsorted finds the places before or behind equal elements") {
  test_engine e;
  const tensor x = {1., 2., 2., 4.};
  CHECK(numbers(searchsorted(x, tensor{0., 1., 2., 3., 9.})) == list{0, 0, 1, 3, 4});
  CHECK(numbers(searchsorted(x, tensor{0., 1., 2., 3., 9.}, "right")) == list{0, 1, 3, 3, 4});
  CHECK(type_text(searchsorted(x, zeros({2, 3}))) == "int64[2,3]");
  CHECK(type_text(searchsorted(x, full({}, 2))) == "int64[]");
  CHECK(searchsorted(x, full({}, 2)).item<int>() == 1);
  CHECK(numbers(searchsorted(arange(5), tensor{1.5, -0.5})) == list{2, 0});
  CHECK(numbers(searchsorted(zeros({0}), tensor{1., 2.})) == list{0, 0});
  CHECK(numbers(searchsorted(tensor{-0., 0.}, tensor{0.})) == list{0});
  CHECK(numbers(searchsorted(slice(tensor{4., 2., 1.}, 0, {}, {}, -1), tensor{2.})) == list{1});
  CHECK(numbers(searchsorted(x.astype(float16), x.astype(float16)[3])) == list{3});
}

TEST_CASE("searchsorted puts NaN behind all else, and before or behind other NaN") {
  test_engine e;
  const tensor x = {1., INFINITY, NAN, NAN};
  CHECK(numbers(searchsorted(x, tensor{NAN, INFINITY})) == list{2, 1});
  CHECK(numbers(searchsorted(x, tensor{NAN, INFINITY}, "right")) == list{4, 2});
  const tensor many = {NAN, 1., 0., NAN, -INFINITY, INFINITY, 2., NAN, 1., NAN};
  CHECK(numbers(searchsorted(x, many)) == list{2, 0, 0, 2, 0, 1, 1, 2, 0, 2});
  CHECK(numbers(searchsorted(x, many, "right")) == list{4, 1, 0, 4, 0, 2, 1, 4, 1, 4});
}

TEST_CASE("searchsorted agrees with the standard library on many values") {
  test_engine e;
  e.engine.seed(3);
  const auto x = sort(randint({3000}, 0, 2000)), y = randint({20'000}, -10, 2010);
  const auto all = numbers(x), wanted = numbers(y);
  const auto left = numbers(searchsorted(x, y)), right = numbers(searchsorted(x, y, "right"));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto [from, to] = std::equal_range(all.begin(), all.end(), wanted[i]);
    wrong += left[i] != static_cast<double>(from - all.begin());
    wrong += right[i] != static_cast<double>(to - all.begin());
  }
  CHECK(wrong == 0);
}

TEST_CASE("searchsorted refuses what is no vector, and a side that there is not") {
  test_engine e;
  const auto x = ones({2, 3});
  CHECK(TROUPE_ERROR_OF(searchsorted(x, x[0])) ==
        "searchsorted: the first is not a vector: float32[2,3] and float32[3]");
  CHECK(TROUPE_ERROR_OF(searchsorted(x[0], x, "middle")) ==
        "searchsorted: the side is left or right, not middle");
  CHECK(TROUPE_ERROR_OF(searchsorted(x[0], tensor{})) ==
        "searchsorted: input 1 names no array yet");
}

}  // namespace troupe::testing
