// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/sets.hpp"

#include <cmath>
#include <map>

#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("nonzero gives the positions of what differs from 0, by axis") {
  test_engine e;
  const tensor x = {{0., 1., NAN}, {-0., 0., 2.}};
  const auto at = nonzero(x);
  REQUIRE(at.size() == 2);
  CHECK(numbers(at[0]) == list{0, 0, 1});
  CHECK(numbers(at[1]) == list{1, 2, 2});
  CHECK(type_text(at[0]) == "int64[3]");
  CHECK(numbers(nonzero(x.T())[0]) == list{1, 2, 2});
  CHECK(numbers(nonzero(arange(24).reshape({2, 3, 4}) % 7 == 6)[2]) == list{2, 1, 0});
  CHECK(type_text(nonzero(zeros({3, 0}))[1]) == "int64[0]");
  CHECK(type_text(nonzero(zeros({3}))[0]) == "int64[0]");
  CHECK(TROUPE_ERROR_OF(nonzero(full({}, 1))) == "nonzero: there are no axes in int64[]");
  CHECK(TROUPE_ERROR_OF(nonzero(tensor{})) == "nonzero: the input names no array yet");
}

TEST_CASE("unique gives the different elements in order, and what is asked about them") {
  test_engine e;
  const tensor x = {{3, 1, 3}, {1, 1, 7}};
  CHECK(numbers(unique(x)) == list{1, 3, 7});
  CHECK(type_text(unique(x)) == "int64[3]");
  const auto all = unique_all(x);
  CHECK(numbers(all.values) == list{1, 3, 7});
  CHECK(numbers(all.indices) == list{1, 0, 5});
  CHECK(numbers(all.counts) == list{3, 2, 1});
  CHECK(numbers(all.inverse_indices) == list{1, 0, 1, 0, 0, 2});
  CHECK(type_text(all.inverse_indices) == "int64[2,3]");
  CHECK(numbers(unique_counts(x).counts) == list{3, 2, 1});
  CHECK(numbers(take(unique_inverse(x).values, unique_inverse(x).inverse_indices)) == numbers(x));
  CHECK(numbers(unique(x > 2)) == list{0, 1});
  CHECK(type_text(unique(zeros({0, 3}))) == "float32[0]");
  CHECK(type_text(unique_all(zeros({0, 3})).inverse_indices) == "int64[0,3]");
  CHECK(type_text(unique_all(zeros({0, 3})).counts) == "int64[0]");
  CHECK(numbers(unique(full({}, 4))) == list{4});
  CHECK(TROUPE_ERROR_OF(unique_counts(tensor{})) == "unique_counts: the input names no array yet");
}

TEST_CASE("unique takes all NaN for equal, and 0 and -0") {
  test_engine e;
  const auto found = unique_counts(tensor{NAN, 1., -0., NAN, 0.});
  CHECK(numbers(found.counts) == list{2, 1, 2});
  CHECK(numbers(found.values)[0] == 0);
  CHECK(std::isnan(numbers(found.values)[2]));
}

TEST_CASE("unique counts many elements as a map does") {
  test_engine e;
  e.engine.seed(5);
  const auto x = randint({100'000}, -300, 300);
  std::map<double, double> counted;
  for (const auto one : numbers(x)) ++counted[one];
  list values, counts;
  for (const auto& [value, count] : counted) {
    values.push_back(value);
    counts.push_back(count);
  }
  const auto found = unique_all(x);
  CHECK(numbers(found.values) == values);
  CHECK(numbers(found.counts) == counts);
  CHECK(numbers(take(x, found.indices)) == values);
  CHECK(numbers(take(found.values, found.inverse_indices)) == numbers(x));
}

TEST_CASE("isin tells which elements are among others") {
  test_engine e;
  const tensor x = {{1., 2.}, {NAN, 4.}};
  CHECK(numbers(isin(x, tensor{2, 4, 9})) == list{0, 1, 0, 1});
  CHECK(type_text(isin(x, tensor{2, 4, 9})) == "bool[2,2]");
  CHECK(numbers(isin(x, tensor{NAN})) == list{0, 0, 0, 0});
  CHECK(numbers(isin(x, zeros({0}))) == list{0, 0, 0, 0});
  CHECK(numbers(isin(x, full({}, 1))) == list{1, 0, 0, 0});
  CHECK(numbers(isin(arange(5), tensor{{4, 0}, {3, 3}})) == list{1, 0, 0, 1, 1});
  CHECK(TROUPE_ERROR_OF(isin(x, tensor{})) == "isin: input 1 names no array yet");
}

TEST_CASE("complex numbers are unique by their real, then their imaginary parts, NaN last") {
  test_engine e;
  const auto re = tensor{1., 0., 1., -0., NAN, 1., 2., 0.},
             im = tensor{2., 5., -1., 5., 1., NAN, 0., 0.};
  const auto x = complex(re, im);
  const auto found = unique_all(x);
  const auto values = found.values;
  CHECK(type_text(values) == "complex128[6]");
  CHECK(numbers(real(values)[range{0, 5}]) == list{0, 0, 1, 1, 2});
  CHECK(numbers(imag(values)[range{0, 5}]) == list{0, 5, -1, 2, 0});
  CHECK(numbers(found.counts) == list{1, 2, 1, 1, 1, 2});
  CHECK(numbers(found.indices) == list{7, 1, 2, 0, 6, 5});
  CHECK(numbers(found.inverse_indices) == list{3, 1, 2, 1, 5, 5, 4, 0});
  CHECK(numbers(unique_counts(x).counts) == numbers(found.counts));
  CHECK(numbers(unique_inverse(x.reshape({2, 4})).inverse_indices) ==
        numbers(found.inverse_indices));
  CHECK(type_text(unique(zeros({0}, complex64))) == "complex64[0]");
  CHECK(type_text(unique(full({3}, 1, complex64))) == "complex64[1]");
}

TEST_CASE("isin tells which complex numbers are among others") {
  test_engine e;
  const auto x = complex(tensor{{1., 2.}, {NAN, 0.}}, tensor{{0., 1.}, {0., -0.}});
  CHECK(numbers(isin(x, tensor{1., 0., 7.})) == list{1, 0, 0, 1});
  CHECK(numbers(isin(x, complex(tensor{2., NAN}, tensor{1., 0.}))) == list{0, 1, 0, 0});
  CHECK(numbers(isin(tensor{1., 2.}, complex(tensor{2., 1.}, tensor{0., 1.}))) == list{0, 1});
  CHECK(type_text(isin(x, zeros({0}))) == "bool[2,2]");
  CHECK(type_text(isin(zeros({0, 3}, complex64), x)) == "bool[0,3]");
}

TEST_CASE("sets are united, intersected and taken from each other as NumPy's") {
  test_engine e;
  const tensor x{{3, 1}, {1, 2}};
  const tensor y{2., 5., NAN, 3.};
  CHECK(numbers(intersect1d(x, y)) == std::vector<double>{2, 3});
  CHECK(type_text(intersect1d(x, y)) == "float64[2]");
  CHECK(numbers(setdiff1d(x, y)) == std::vector<double>{1});
  CHECK(type_text(setdiff1d(x, y)) == "int64[1]");
  const auto all = numbers(union1d(x, y));
  REQUIRE(all.size() == 5);
  CHECK(std::vector<double>(all.begin(), all.end() - 1) == std::vector<double>{1, 2, 3, 5});
  CHECK(std::isnan(all.back()));
  CHECK(std::isnan(numbers(setdiff1d(y, y))[0]));
  CHECK(union1d(zeros({0}), zeros({0})).shape() == shape{0});
  CHECK(intersect1d(x, zeros({0})).shape() == shape{0});
  CHECK(TROUPE_ERROR_OF(union1d(x, tensor{})) == "union1d: input 1 names no array yet");
}

}  // namespace troupe::testing
