// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/nan_reductions.hpp"

#include <cmath>
#include <complex>

#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("reductions with nan in their name leave NaN out") {
  test_engine e;
  const tensor x = {{1., NAN, 3.}, {NAN, NAN, NAN}};
  CHECK(numbers(nansum(x, 1)) == list{4, 0});
  CHECK(numbers(nanprod(x, 1)) == list{3, 1});
  CHECK(numbers(nanmean(x, 1))[0] == 2);
  CHECK(std::isnan(numbers(nanmean(x, 1))[1]));
  CHECK(numbers(nanmax(x, 1))[0] == 3);
  CHECK(std::isnan(numbers(nanmax(x, 1))[1]));
  CHECK(nanmin(x).item<double>() == 1);
  CHECK(std::isnan(numbers(nanmin(x, 0))[1]));
  CHECK(nanmax(tensor{-INFINITY, NAN}).item<double>() == -INFINITY);
  CHECK(nanvar(x).item<double>() == 1);
  CHECK(nanvar(x, {}, 1).item<double>() == 2);
  CHECK(std::isnan(nanvar(x, {}, 2).item<double>()));
  CHECK(std::isnan(nanvar(tensor{INFINITY, 1., NAN}).item<double>()));
  CHECK(nanstddev(x, {}, 1).item<double>() == Approx(std::sqrt(2.)));
  CHECK(type_text(nanvar(x, 0, 0, keepdims)) == "float64[1,3]");
  CHECK(type_text(nanmean(ones({2, 3}, float16), 0)) == "float16[3]");
}

TEST_CASE("positions and sums up to each element leave NaN out") {
  test_engine e;
  const tensor x = {{NAN, -INFINITY, 3., 3.}, {NAN, NAN, NAN, NAN}};
  CHECK(numbers(nanargmax(x, 1)) == list{2, -1});
  CHECK(numbers(nanargmin(x, 1)) == list{1, -1});
  CHECK(numbers(nanargmax(tensor{NAN, -INFINITY})) == list{1});
  CHECK(numbers(nanargmin(tensor{NAN, INFINITY})) == list{1});
  CHECK(nanargmax(x).item<std::int64_t>() == 2);
  CHECK(type_text(nanargmax(x, 0, keepdims)) == "int64[1,4]");
  CHECK(type_text(nanargmin(x, {}, keepdims)) == "int64[1,1]");
  CHECK(numbers(nancumsum(tensor{1., NAN, 3.})) == list{1, 1, 4});
  CHECK(numbers(nancumprod(tensor{{2., NAN}, {3., 5.}}, 0)) == list{2, 1, 6, 5});
  CHECK(numbers(nanargmax(arange(3))) == list{2});
  CHECK(type_text(nancumsum(ones({2}, boolean))) == type_text(cumsum(ones({2}, boolean))));
}

TEST_CASE("of integers they are the plain reductions") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(type_text(nansum(x, 0)) == "int64[3]");
  CHECK(numbers(nanmax(x, 1)) == list{2, 5});
  CHECK(nanmean(x).item<double>() == 2.5);
  CHECK(numbers(nanvar(x, 1)) == numbers(var(x, 1)));
}

TEST_CASE("of narrow floats they neither overflow nor miscount before the result") {
  test_engine e;
  for (const auto element : {float16, bfloat16}) {
    const auto x = where(equal(arange(70'001), 0), NAN, 3.).astype(element);
    CHECK(nanmean(x).item<double>() == 3);
    CHECK(nanvar(x).item<double>() == 0);
    CHECK(type_text(nanvar(x)) == std::string(name(element)) + "[]");
    CHECK(type_text(nanstddev(x, 0, 1, keepdims)) == std::string(name(element)) + "[1]");
  }
  const auto wide = astype(tensor{-1000., NAN, 1000.}, float16);
  CHECK(nanstddev(wide).item<double>() == 1000);
  CHECK(nanmean(astype(tensor{60'000., 60'000.}, float16)).item<double>() == 60'000);
}

TEST_CASE("a variance of fewer elements than are taken off their number is NaN, also of integers") {
  test_engine e;
  for (const auto element : {int32, boolean, float32}) {
    const auto x = astype(arange(6) % 2, element).reshape({2, 3});
    for (const int ddof : {3, 4, 7}) {
      CHECK(std::isnan(numbers(nanvar(x, 1, ddof)).at(1)));
      CHECK(std::isnan(numbers(nanstddev(x, 1, ddof)).at(1)));
    }
    CHECK(numbers(nanvar(x, 1, 2)).at(1) == Approx(2. / 3));
  }
  CHECK(type_text(nanvar(ones({2, 3}, int32), 1, 4, keepdims)) == "float64[2,1]");
}

TEST_CASE("their gradients are 0 at NaN") {
  test_engine e;
  const auto slopes = [](auto f) {
    return numbers(grad([&](const tensor& x) { return f(x); })(tensor{1., NAN, 3.}));
  };
  CHECK(slopes([](const tensor& x) { return nansum(x); }) == list{1, 0, 1});
  CHECK(slopes([](const tensor& x) { return nanmean(x); }) == list{0.5, 0, 0.5});
  CHECK(slopes([](const tensor& x) { return nanmax(x); }) == list{0, 0, 1});
  check_gradient([](const tensor& x) { return nanvar(x, 1, 1); }, distinct({2, 3}));
}

TEST_CASE("they refuse axes that are not there, and nothing to choose from") {
  test_engine e;
  const auto x = ones({2, 3});
  CHECK(TROUPE_ERROR_OF(nansum(x, 2)) == "nansum: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(nanvar(tensor{})) == "nanvar: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(nanstddev(x, 5)) == "nanstddev: axis 5 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(nanmax(zeros({0}))) == "nanmax: no elements to choose from in float32[0]");
  CHECK(TROUPE_ERROR_OF(nanmin(zeros({2, 0}, int32), 1)) ==
        "nanmin: no elements to choose from in int32[2,0]");
  CHECK(TROUPE_ERROR_OF(nanargmax(zeros({0}))) ==
        "nanargmax: no elements to choose from in float32[0]");
  CHECK(TROUPE_ERROR_OF(nanargmin(x, 2)) == "nanargmin: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(nancumsum(x, -3)) == "nancumsum: axis -3 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(nancumprod(tensor{})) == "nancumprod: the input names no array yet");
  CHECK(type_text(nanmax(zeros({0, 2}), 1)) == "float32[0]");
}

TEST_CASE("a complex number is left out if one of its parts is NaN") {
  test_engine e;
  using number = std::complex<double>;
  const auto x = complex(tensor{1., NAN, 2.}, tensor{0., 1., 1.});
  CHECK(nansum(x).item<number>() == number(3, 1));
  CHECK(nanprod(x).item<number>() == number(2, 1));
  CHECK(nanmean(x).item<number>() == number(1.5, 0.5));
  CHECK(nancumsum(x).to_vector<number>() == std::vector<number>{{1, 0}, {1, 0}, {3, 1}});
  CHECK(nancumprod(x).to_vector<number>() == std::vector<number>{{1, 0}, {1, 0}, {2, 1}});
  CHECK(nanvar(x).item<double>() == 0.5);
  CHECK(nanstddev(x, {}, 1).item<double>() == 1);
}

}  // namespace troupe::testing
