// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/sorting.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

/// Returns the places of a stable sort by the standard library, NaN last.
list sorted_places(const list& x, bool descending) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (std::isnan(x[a]) || std::isnan(x[b])) return !std::isnan(x[a]) && std::isnan(x[b]);
    return descending ? x[a] > x[b] : x[a] < x[b];
  });
  return {order.begin(), order.end()};
}

/// Numbers of a dtype with many equal ones and, of floats, some zeros of both signs, infinities and
/// NaN.
tensor mixed(std::int64_t n, dtype element) {
  if (!is_floating(element)) return astype(randint({n}, -1000, 1000), element);
  const auto x = round(normal({n}, 0, 1, float64) * 100.) / 8.;
  const auto kind = arange(n) % 97;
  const auto special = where(
      equal(kind, 1), NAN, where(equal(kind, 2), -0., where(equal(kind, 3), INFINITY, -INFINITY)));
  return astype(where(less_equal(kind, 4) & greater(kind, 0), special, x), element);
}

}  // namespace

TEST_CASE("sort orders along an axis, NaN last in both orders") {
  test_engine e;
  const tensor x = {{3., 1., 2.}, {-1., NAN, -2.}};
  CHECK(numbers(sort(x[0])) == list{1, 2, 3});
  CHECK(numbers(sort(x[0], -1, true)) == list{3, 2, 1});
  CHECK(numbers(sort(x, 0)).at(0) == -1);
  CHECK(numbers(sort(x, 0)).at(1) == 1);
  CHECK(std::isnan(numbers(sort(x, 0)).at(4)));
  CHECK(std::isnan(numbers(sort(x, 1, true)).at(5)));
  CHECK(numbers(sort(x, 1, true)).at(3) == -1);
  CHECK(type_text(sort(x, {})) == "float64[6]");
  CHECK(std::isnan(numbers(sort(x, {})).at(5)));
  CHECK(numbers(sort(tensor{true, false, true})) == list{0, 1, 1});
  CHECK(numbers(sort(tensor{true, false, true}, 0, true)) == list{1, 1, 0});
  CHECK(type_text(sort(x.astype(bfloat16))) == "bfloat16[2,3]");
  CHECK(numbers(sort(tensor{INFINITY, 1., -INFINITY, 0.})) == list{-INFINITY, 0, 1, INFINITY});
  const tensor least = from_data(std::vector<std::int64_t>{0, INT64_MIN, INT64_MAX, -1}, {4});
  CHECK(sort(least).to_vector<std::int64_t>() ==
        std::vector<std::int64_t>{INT64_MIN, -1, 0, INT64_MAX});
  CHECK(type_text(sort(zeros({3, 0}))) == "float32[3,0]");
  CHECK(type_text(sort(zeros({0, 3}), 0)) == "float32[0,3]");
}

TEST_CASE("argsort keeps the order of equal elements, also of 0 and -0, and of NaN") {
  test_engine e;
  CHECK(numbers(argsort(tensor{2., 1., 2., 1.})) == list{1, 3, 0, 2});
  CHECK(numbers(argsort(tensor{2., 1., 2., 1.}, 0, true)) == list{0, 2, 1, 3});
  CHECK(numbers(argsort(tensor{0., -0., 0., NAN, -0., -NAN})) == list{0, 1, 2, 4, 3, 5});
  CHECK(numbers(argsort(tensor{0., -0., NAN, 1.}, 0, true)) == list{3, 0, 1, 2});
  const auto x = arange(6).reshape({2, 3});
  CHECK(type_text(argsort(x, 0)) == "int64[2,3]");
  CHECK(numbers(argsort(x, 0, true)) == list{1, 1, 1, 0, 0, 0});
  CHECK(numbers(argsort(x.T(), 0, true)) == list{2, 2, 1, 1, 0, 0});
}

TEST_CASE("rows of any length, short, long and shared out, are sorted as by the standard library") {
  test_engine e;
  const auto element = GENERATE(boolean, int32, int64, float32, float64, float16);
  const std::int64_t n = GENERATE(1, 2, 511, 512, 5'000, 65'536, 65'537, 300'000);
  const bool descending = GENERATE(false, true);
  CAPTURE(name(element), n, descending);
  e.engine.seed(static_cast<std::uint64_t>(n));
  const auto x = mixed(n, element);
  const auto input = numbers(x);
  const auto places = sorted_places(input, descending);
  CHECK(numbers(argsort(x, 0, descending)) == places);
  const auto sorted = numbers(sort(x, 0, descending));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto expected = input[static_cast<std::size_t>(places[i])];
    wrong += std::isnan(expected) ? !std::isnan(sorted[i]) : sorted[i] != expected;
  }
  CHECK(wrong == 0);
  if (!descending) return;
  for (const std::int64_t k : {std::int64_t{1}, std::int64_t{10}, n / 100, n / 3, n}) {
    if (k > n) continue;
    const auto top = numbers(argtopk(x, k));
    REQUIRE(static_cast<std::int64_t>(top.size()) == k);
    CHECK(std::equal(top.begin(), top.end(), places.begin()));
  }
}

TEST_CASE("long rows are sorted side by side, whatever the strides") {
  test_engine e;
  const auto x = astype(randint({3, 70'000}, 0, 500), float32);
  const auto backwards = slice(slice(x, 1, {}, {}, -1), 0, {}, {}, 2);
  for (int row = 0; row < 2; ++row) {
    const auto one = copy(backwards[row]);
    CHECK(numbers(sort(backwards)[row]) == numbers(sort(one)));
    CHECK(numbers(argsort(backwards)[row]) == numbers(argsort(one)));
    CHECK(numbers(topk(backwards, 5).values[row]) == numbers(topk(one, 5).values));
  }
  CHECK(numbers(sort(x.T(), 0)) == numbers(sort(x).T()));
  CHECK(numbers(sort(full({200'000}, 7))) == list(200'000, 7));
  CHECK(numbers(argsort(full({100'000}, 7), 0, true)) == numbers(arange(100'000)));
}

TEST_CASE("topk finds the greatest elements and where they are, NaN as the least of all") {
  test_engine e;
  const tensor x = {{3., 1., 2.}, {5., NAN, 5.}};
  const auto [values, indices] = topk(x, 2);
  CHECK(numbers(values) == list{3, 2, 5, 5});
  CHECK(numbers(indices) == list{0, 2, 0, 2});
  CHECK(type_text(indices) == "int64[2,2]");
  CHECK(numbers(topk(x, 1, 0).indices) == list{1, 0, 1});
  CHECK(std::isnan(numbers(topk(x, 3).values)[5]));
  CHECK(type_text(topk(x, 0).values) == "float64[2,0]");
  CHECK(type_text(topk(x > 1, 2, 0).values) == "bool[2,3]");
  CHECK(TROUPE_ERROR_OF(topk(x, 4)) == "topk: 4 of the 3 elements along axis -1 of float64[2,3]");
  CHECK(TROUPE_ERROR_OF(argtopk(x, -1, 0)) ==
        "argtopk: -1 of the 2 elements along axis 0 of float64[2,3]");
  CHECK(TROUPE_ERROR_OF(topk(x, 1, 2)) == "topk: axis 2 is out of range for float64[2,3]");
  CHECK(TROUPE_ERROR_OF(topk(full({}, 1), 1)) == "topk: axis -1 is out of range for int64[]");
}

TEST_CASE("sort and topk have gradients along any axis") {
  test_engine e;
  const auto x = distinct({3, 4});
  check_gradient([](const tensor& y) { return sort(y); }, x);
  check_gradient([](const tensor& y) { return sort(y, 0, true) * 2.; }, x);
  check_gradient([](const tensor& y) { return sort(y, {}); }, x);
  check_gradient([](const tensor& y) { return topk(y, 2, 0).values; }, x);
  const auto slopes = grad([](const tensor& y) { return sum(sort(y) * arange(3)); });
  CHECK(numbers(slopes(tensor{2., 1., 3.})) == list{1, 0, 2});
}

TEST_CASE("partition puts a position's element where a sort has it") {
  test_engine e;
  const tensor x = {{3., 1., 2.}, {5., 9., 4.}};
  CHECK(numbers(partition(x, 1)).at(4) == 5);
  CHECK(numbers(partition(x, -1, 0)).at(3) == 5);
  CHECK(numbers(argpartition(x, 0)).at(0) == 1);
  CHECK(TROUPE_ERROR_OF(partition(x, 3)) ==
        "partition: there is no position 3 along axis -1 of float64[2,3]");
  CHECK(TROUPE_ERROR_OF(argpartition(x, -3, 0)) ==
        "argpartition: there is no position -3 along axis 0 of float64[2,3]");
  CHECK(TROUPE_ERROR_OF(partition(x, 0, 2)) ==
        "partition: axis 2 is out of range for float64[2,3]");
}

TEST_CASE("sorts refuse axes that are not there") {
  test_engine e;
  const auto x = ones({2, 3});
  CHECK(TROUPE_ERROR_OF(sort(x, 2)) == "sort: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(argsort(x, -3)) == "argsort: axis -3 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(sort(full({}, 1))) == "sort: axis -1 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(sort(tensor{})) == "sort: the input names no array yet");
}

}  // namespace troupe::testing
