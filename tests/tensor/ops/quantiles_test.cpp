// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/quantiles.hpp"

#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("median is the middle element or the mean of two, NaN if there is one") {
  test_engine e;
  const tensor x = {{3., 1., 2.}, {5., NAN, 4.}};
  CHECK(numbers(median(x[0])) == list{2});
  CHECK(numbers(median(x, 1)).at(0) == 2);
  CHECK(std::isnan(numbers(median(x, 1)).at(1)));
  CHECK(std::isnan(numbers(median(x)).at(0)));
  CHECK(numbers(median(x, 0)).at(0) == 4);
  CHECK(type_text(median(x, 0, keepdims)) == "float64[1,3]");
  CHECK(type_text(median(x, {}, keepdims)) == "float64[1,1]");
  CHECK(median(tensor{4, 1, 2, 9}).item<double>() == 3);
  CHECK(type_text(median(tensor{4, 1})) == "float64[]");
  CHECK(type_text(median(ones({2, 3}, float16), 1)) == "float16[2]");
  CHECK(median(full({}, 5)).item<double>() == 5);
}

TEST_CASE("quantiles are interpolated between neighbours") {
  test_engine e;
  const tensor x = {10., 0., 20., 30., 40.};
  CHECK(quantile(x, 0.).item<double>() == 0);
  CHECK(quantile(x, 1.).item<double>() == 40);
  CHECK(quantile(x, 0.25).item<double>() == 10);
  CHECK(quantile(x, 0.3).item<double>() == Approx(12));
  CHECK(percentile(x, 95.).item<double>() == Approx(38));
  CHECK(numbers(quantile(x, {0.5, 0.0})) == list{20, 0});
  CHECK(type_text(quantile(ones({2, 3}), {0.1, 0.2, 0.3, 0.4}, 0, keepdims)) == "float32[4,1,3]");
  CHECK(numbers(percentile(x, {50.})) == list{20});
  CHECK(quantile(tensor{-INFINITY, INFINITY, INFINITY}, 0.5).item<double>() == INFINITY);
}

TEST_CASE("quantiles between neighbours at infinity, or far apart, are on their side") {
  test_engine e;
  constexpr double inf = INFINITY;
  const auto at = [](const tensor& x, double q) { return quantile(x, q).item<double>(); };
  for (const double q : {0.25, 0.5, 0.75}) {
    CAPTURE(q);
    CHECK(at(tensor{1., inf}, q) == inf);
    CHECK(at(tensor{-inf, 1.}, q) == -inf);
    CHECK(at(tensor{inf, inf}, q) == inf);
    CHECK(at(tensor{-inf, -inf}, q) == -inf);
    CHECK(std::isnan(at(tensor{-inf, inf}, q)));
    CHECK(at(tensor{-1.5e308, 1.5e308}, q) == (q - 0.5) * 2 * 1.5e308);
    CHECK(at(astype(tensor{-60'000., 60'000.}, float16), q) ==
          Approx((q - 0.5) * 120'000).epsilon(1e-3));
  }
  CHECK(median(tensor{0., inf, inf, inf}).item<double>() == inf);
  CHECK(median(tensor{-inf, -inf, -inf, 2.}).item<double>() == -inf);
}

TEST_CASE("quantiles with nan in their name leave NaN out") {
  test_engine e;
  const tensor x = {{3., NAN, 1., 2.}, {NAN, NAN, NAN, NAN}, {NAN, 7., NAN, 5.}};
  CHECK(numbers(nanmedian(x, 1)).at(0) == 2);
  CHECK(std::isnan(numbers(nanmedian(x, 1)).at(1)));
  CHECK(numbers(nanmedian(x, 1)).at(2) == 6);
  CHECK(nanmedian(x).item<double>() == 3);
  CHECK(numbers(nanquantile(x[0], {0., 0.25, 1.})) == list{1, 1.5, 3});
  CHECK(numbers(nanpercentile(x, 100., 1)).at(2) == 7);
  CHECK(type_text(nanpercentile(x, {20., 50.}, 0, keepdims)) == "float64[2,1,4]");
  CHECK(type_text(nanmedian(arange(4))) == "float64[]");
  CHECK(type_text(nanmedian(ones({2, 3}, float16), 1)) == "float16[2]");
  CHECK(nanmedian(tensor{INFINITY, NAN}).item<double>() == INFINITY);
  CHECK(std::isnan(nanmedian(tensor{INFINITY, -INFINITY}).item<double>()));
  CHECK(std::isnan(nanmedian(full({}, NAN)).item<double>()));
}

TEST_CASE("of numbers alone, quantiles with nan in their name are the plain ones") {
  test_engine e;
  for (const auto element : {float32, float64, int32}) {
    const auto x = astype(remainder(arange(33) * 7 + 5, 33) - 11, element).reshape({3, 11});
    for (const double q : {0., 0.1, 0.25, 0.5, 0.77, 1.}) {
      CHECK(numbers(nanquantile(x, q)) == numbers(quantile(x, q)));
      CHECK(numbers(nanquantile(x, q, 1)) == numbers(quantile(x, q, 1)));
      CHECK(numbers(nanpercentile(x, q * 100, 0)) == numbers(percentile(x, q * 100, 0)));
    }
  }
}

TEST_CASE("quantiles have gradients") {
  test_engine e;
  check_gradient([](const tensor& y) { return median(y, 1); }, distinct({3, 4}));
  check_gradient([](const tensor& y) { return quantile(y, {0.3, 0.9}, 0); }, distinct({3, 4}));
  check_gradient([](const tensor& x) { return nanmedian(x, 1); }, distinct({2, 3}));
  check_gradient([](const tensor& x) { return nanquantile(x, {0.3, 0.8}, 0); }, distinct({3, 2}));
  const auto slopes =
      numbers(grad([](const tensor& x) { return nanmedian(x); })(tensor{4., NAN, 1.}));
  CHECK(slopes == list{0.5, 0, 0.5});
}

TEST_CASE("quantiles with nan in their name refuse the same, by their names") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nanmedian(zeros({0}))) ==
        "nanmedian: no elements to choose from in float32[0]");
  CHECK(TROUPE_ERROR_OF(nanmedian(tensor{})) == "nanmedian: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(nanquantile(ones({2}), 1.5)) == "nanquantile: q is from 0 to 1, not 1.5");
  CHECK(TROUPE_ERROR_OF(nanpercentile(ones({2}), -1.)) ==
        "nanpercentile: q is from 0 to 100, not -1.0");
  CHECK(TROUPE_ERROR_OF(nanquantile(ones({2}), 0.5, 1)) ==
        "nanquantile: axis 1 is out of range for float32[2]");
}

TEST_CASE("quantiles refuse shares beyond all, axes that are not there, and no elements") {
  test_engine e;
  const auto x = ones({2, 3});
  CHECK(TROUPE_ERROR_OF(quantile(x, 1.5)) == "quantile: q is from 0 to 1, not 1.5");
  CHECK(TROUPE_ERROR_OF(percentile(x, {50., NAN})) == "percentile: q is from 0 to 100, not nan");
  CHECK(TROUPE_ERROR_OF(quantile(x, std::span<const double>())) == "quantile: no q is given");
  CHECK(TROUPE_ERROR_OF(percentile(x, std::span<const double>())) == "percentile: no q is given");
  CHECK(TROUPE_ERROR_OF(median(x, 2)) == "median: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(median(zeros({2, 0}), 1)) ==
        "median: no elements to choose from in float32[2,0]");
  CHECK(TROUPE_ERROR_OF(median(tensor{})) == "median: the input names no array yet");
}

}  // namespace troupe::testing
