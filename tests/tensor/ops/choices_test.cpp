// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/choices.hpp"

#include <algorithm>
#include <map>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/histogram.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/sorting.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/tensor/goodness_of_fit.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

constexpr std::int64_t choice_count = 100'000;
constexpr auto as_probabilities = weights_as::probabilities;

/// Returns the columns of a matrix as the digits of numbers.
std::vector<double> row_codes(const tensor& x, std::int64_t base) {
  const auto all = numbers(x);
  const auto width = static_cast<std::size_t>(x.shape()[1]);
  std::vector<double> out(all.size() / width);
  for (std::size_t i = 0; i < all.size(); ++i)
    out[i / width] = out[i / width] * static_cast<double>(base) + all[i];
  return out;
}

}  // namespace

TEST_CASE("categorical chooses by logarithms or probabilities, of one row and of many") {
  test_engine e;
  const tensor p = {1., 0., 3., 4.};  // no matter what the sum is
  const std::vector<double> expected = {0.125, 0, 0.375, 0.5};
  const random_options keyed{.key = random_key(3)};
  const auto rows = broadcast_to(p, {choice_count, 4});
  CHECK(fits_counts(
      numbers(categorical(log(p), -1, weights_as::logarithms, shape{choice_count}, keyed)),
      expected));
  CHECK(fits_counts(numbers(categorical(p, 0, as_probabilities, shape{choice_count}, keyed)),
                    expected));
  CHECK(fits_counts(numbers(categorical(log(rows), -1, weights_as::logarithms, {}, keyed)),
                    expected));
  CHECK(
      fits_counts(numbers(categorical(transpose(rows), 0, as_probabilities, {}, keyed)), expected));
  CHECK(type_text(categorical(p)) == "int64[]");
  CHECK(type_text(categorical(ones({2, 3, 4}), 1, as_probabilities, shape{5, 2, 4},
                              {.dtype = int32})) == "int32[5,2,4]");
  CHECK(numbers(categorical(tensor{-1000., 1000., 0.})) == std::vector<double>{1});
  CHECK(numbers(categorical(tensor{{0., 7., 0.}, {0., 0., 1e-300}}, -1, as_probabilities)) ==
        std::vector<double>{1, 2});
  CHECK(type_text(categorical(zeros({0, 3}))) == "int64[0]");
}

TEST_CASE("a row without a positive weight, or with a wrong one, gives its length") {
  test_engine e;
  const tensor p = {{0., 0.}, {1., -1.}, {NAN, 1.}, {0., 2.}};
  CHECK(numbers(categorical(p, -1, as_probabilities)) == std::vector<double>{2, 2, 2, 1});
  for (int row = 0; row < 3; ++row)
    CHECK(numbers(categorical(p[row], -1, as_probabilities)) == std::vector<double>{2});
  CHECK(numbers(categorical(tensor{-INFINITY, -INFINITY})) == std::vector<double>{2});
  CHECK(numbers(choice(2, {2}, {.p = p[0]})) == std::vector<double>{2, 2});
  CHECK(numbers(choice(2, {2}, {.replace = false, .p = p[3]})) == std::vector<double>{1, 2});
  CHECK_THAT(error_of([&] {
               choice(tensor{5., 6.}, {3}, {.p = p[1]}).wait();
             }),
             Catch::StartsWith("take: index 2 is out of bounds for axis 0 with size 2"));
}

TEST_CASE("choice takes each as often as it should, with and without weights") {
  test_engine e;
  const random_key key(9);
  CHECK(fits_counts(numbers(choice(5, {choice_count}, {.key = key})), {0.2, 0.2, 0.2, 0.2, 0.2}));
  const tensor p = {0., 3., 1.};
  CHECK(fits_counts(numbers(choice(3, {choice_count}, {.p = p, .key = key})), {0, 0.75, 0.25}));
  const tensor x = {{1, 2}, {3, 4}, {5, 6}};
  const auto y = choice(x, {choice_count, 1}, {.p = p, .key = key});
  CHECK(type_text(y) == "int64[100000,1,2]");
  CHECK(min(y).item<int>() == 3);
  CHECK(numbers(choice(x, {2}, {.p = tensor{0, 0, 1}})) == std::vector<double>{5, 6, 5, 6});
}

TEST_CASE("few of many are chosen without replacement, each as often and in any order") {
  test_engine e;
  seed(7);
  std::vector<tensor> drawn;
  for (int i = 0; i < 2000; ++i) drawn.push_back(choice(50, {5}, {.replace = false}));
  const auto all = stack(drawn);
  for (int i = 0; i < 5; ++i) {
    const auto seen = numbers(bincount(take(all, tensor(i), 1), {}, 50));
    for (const double times : seen) CHECK((times > 10 && times < 75));  // 40 is expected
  }
  const auto sorted = sort(all);
  CHECK(min(diff(sorted)).item<int>() > 0);
}

TEST_CASE("choice without replacement takes none twice, and weights count one after the other") {
  test_engine e;
  const auto all = choice(1000, {10, 100}, {.replace = false});
  CHECK(numbers(sort(flatten(all))) == numbers(arange(1000)));
  const auto p = arange(1, 1001);
  CHECK(numbers(sort(choice(1000, {1000}, {.replace = false, .p = p}))) == numbers(arange(1000)));
  std::vector<double> seen;
  seed(4);
  for (int i = 0; i < 5000; ++i)
    seen.push_back(row_codes(choice(3, {1, 2}, {.replace = false, .p = tensor{1., 2., 5.}}), 3)[0]);
  // The first by its weight, the second by its weight among those left.
  std::vector<double> expected(9);
  const double w[] = {1, 2, 5};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      expected[i * 3 + k] = i == k ? 0 : w[i] / 8 * w[k] / (8 - w[i]);
  }
  CHECK(fits_counts(seen, expected));
}

TEST_CASE("permutation gives each order as often") {
  test_engine e;
  seed(2);
  std::map<double, double> places;
  std::vector<double> seen;
  for (int i = 0; i < 12'000; ++i) {
    const auto code = row_codes(permutation(4).reshape({1, 4}), 4)[0];
    seen.push_back(places.try_emplace(code, static_cast<double>(places.size())).first->second);
  }
  REQUIRE(places.size() == 24);
  CHECK(fits_counts(seen, std::vector<double>(24, 1. / 24)));
  CHECK(numbers(sort(permutation(50'000))) == numbers(arange(50'000)));
  CHECK(type_text(permutation(0)) == "int64[0]");
  CHECK(type_text(permutation(3, {.dtype = int32})) == "int32[3]");
}

TEST_CASE("permutation moves whole slices along an axis, and gradients with them") {
  test_engine e;
  const auto x = arange(12, float64).reshape({3, 4});
  const random_options keyed{.key = random_key(5)};
  const auto order = permutation(4, keyed), y = permutation(x, 1, keyed);
  for (int i = 0; i < 4; ++i)
    CHECK(numbers(y.slice(1, i, i + 1)) ==
          numbers(x.slice(1, order[i].item<std::int64_t>(), order[i].item<std::int64_t>() + 1)));
  const auto g =
      grad([&](const tensor& t) { return sum(permutation(t, 1, keyed) * arange(4)); })(x);
  CHECK(numbers(permutation(g, 1, keyed)[0]) == numbers(arange(4)));
}

TEST_CASE("choices of nothing are empty or refused at the user's line") {
  test_engine e;
  CHECK(type_text(choice(0, {0, 2})) == "int64[0,2]");
  CHECK(type_text(choice(3, {0}, {.replace = false, .p = ones({3})})) == "int64[0]");
  CHECK(TROUPE_ERROR_OF(choice(0, {2})) == "choice: there are 0 to choose from");
  CHECK(TROUPE_ERROR_OF(choice(-1, {2})) == "choice: there are -1 to choose from");
  CHECK(TROUPE_ERROR_OF(choice(3, {2, 2}, {.replace = false})) ==
        "choice: 4 of 3 without replacement");
  CHECK(TROUPE_ERROR_OF(choice(3, {2}, {.p = ones({2})})) == "choice: p is to be [3]: float32[2]");
  CHECK(TROUPE_ERROR_OF(choice(ones({}), {2})) ==
        "choice: there is no axis to choose along: float32[]");
  CHECK(TROUPE_ERROR_OF(categorical(ones({2, 0}))) ==
        "categorical: nothing to choose from: float32[2,0]");
  CHECK(TROUPE_ERROR_OF(categorical(ones({2, 3}), -1, as_probabilities, shape{3})) ==
        "categorical: does not broadcast to [3]: float32[2,3]");
  CHECK(TROUPE_ERROR_OF(categorical(ones({2}), 0, as_probabilities, {}, {.dtype = float32})) ==
        "categorical: positions have no dtype float32");
  CHECK(TROUPE_ERROR_OF(permutation(-1)) == "permutation: negative size -1");
}

TEST_CASE("choices can be compiled") {
  test_engine e;
  const auto draws = [](const tensor& x) {
    return std::vector{categorical(x), choice(x, {4}), permutation(x)};
  };
  const auto f = compile(draws);
  const tensor x = {1., 2., 3.};
  for (int i = 0; i < 3; ++i) {
    seed(static_cast<std::uint64_t>(i));
    const auto plain = draws(x);
    seed(static_cast<std::uint64_t>(i));
    const auto compiled = f(x);
    for (std::size_t k = 0; k < plain.size(); ++k) CHECK(numbers(compiled[k]) == numbers(plain[k]));
  }
}

}  // namespace troupe::testing
