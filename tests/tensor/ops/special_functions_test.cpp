// SPDX-License-Identifier: MIT
#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tests/error_of.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using unary = tensor (*)(const tensor&, caller);

struct known {
  double x, y;
};

/// Checks a function in float64 and float32: errors in units in the last place of the value, or of
/// 1 where that is the greater scale. The numbers are exact in float32.
void check_known(unary f, const std::vector<known>& all, double units, double scale = 0) {
  for (const auto& [x, y] : all) {
    CAPTURE(x, y);
    for (const auto element : {float64, float32}) {
      const auto found = numbers(f(from_data(std::vector<double>{x}, {1}, {.dtype = element}), {}));
      const double unit = element == float64 ? 0x1p-52 : 0x1p-23;
      CAPTURE(name(element), found[0]);
      CHECK(std::abs(found[0] - y) <= units * unit * std::max(scale, std::abs(y)));
    }
  }
}

std::vector<double> of(unary f, std::vector<double> x) { return numbers(f(from_data(x), {})); }

constexpr double infinity = INFINITY;

}  // namespace

// The values below were computed with 70 digits.

TEST_CASE("erfinv inverts erf within 8 units in the last place") {
  test_engine e;
  check_known(erfinv,
              {{-0.999755859375, -2.5939005131344874},
               {-0.5, -0.47693627620446988},
               {0x1p-30, 8.2536314190622238e-10},
               {0.25, 0.2253120550121781},
               {0.75, 0.81341984759761854},
               {0.849609375, 1.0169277945473454},
               {0.9375, 1.3171503349861307},
               {1 - 0x1p-20, 3.4655050258033309},
               {1 - 0x1p-24, 3.8325068569007108}},
              8);
  CHECK(of(erfinv, {1, -1, 0}) == std::vector<double>{infinity, -infinity, 0});
  for (const double x : of(erfinv, {1.5, -2, NAN, infinity})) CHECK(std::isnan(x));
  const auto x = distinct({7}) * 0.5;
  for (std::size_t i = 0; i < 7; ++i) CHECK(near(numbers(erf(erfinv(x)))[i], numbers(x)[i], 1e-15));
  check_gradient([](const tensor& v) { return erfinv(v); }, x);
}

TEST_CASE("lgamma is within 8 units in the last place, and its gradient is digamma") {
  test_engine e;
  check_known(lgamma,
              {{-4.75, -2.8754125604929137},
               {-2.5, -0.056243716497674054},
               {-0.125, 2.16530024890517},
               {0x1p-10, 6.9309089024194614},
               {0.25, 1.2880225246980774},
               {1.5, -0.12078223763524522},
               {3, 0.69314718055994529},
               {5, 3.1780538303479458},
               {11.5, 16.292000476567242},
               {100, 359.1342053695754},
               {1e10, 220258509288.81058}},
              8);
  CHECK(of(lgamma, {0, -1, infinity, 1, 2}) ==
        std::vector<double>{infinity, infinity, infinity, 0, 0});
  CHECK(std::isnan(of(lgamma, {NAN})[0]));
  check_gradient([](const tensor& v) { return lgamma(v); }, distinct({5}) + 2.0);
}

TEST_CASE("digamma is within 8 units in the last place of the greater of 1 and its value") {
  test_engine e;
  check_known(digamma,
              {{-4.75, -1.4818622825218566},
               {-2.5, 1.1031566406452431},
               {-0.125, 7.1959829284523043},
               {0.25, -4.2274535333762655},
               {1, -0.57721566490153287},
               {1.5, 0.03648997397857652},
               {2, 0.42278433509846713},
               {5, 1.5061176684318005},
               {11.5, 2.3982391295357814},
               {12, 2.4426616799758119},
               {100, 4.6001618527380872},
               {1e10, 23.025850929890456}},
              8, 1);
  CHECK(of(digamma, {0., -0., infinity}) == std::vector<double>{-infinity, infinity, infinity});
  for (const double x : of(digamma, {-1, -7, NAN, -infinity})) CHECK(std::isnan(x));
  check_gradient([](const tensor& v) { return digamma(v); }, distinct({5}) + 2.0);
}

TEST_CASE("trigamma is within 8 units in the last place, and asking for its gradient is an error") {
  test_engine e;
  check_known(trigamma,
              {{-4.75, 19.549301390239464},
               {-2.5, 9.5392466449891238},
               {-0.125, 66.005740957924914},
               {0.25, 17.197329154507109},
               {1, 1.6449340668482264},
               {1.5, 0.93480220054467933},
               {2, 0.64493406684822641},
               {5, 0.22132295573711533},
               {11.5, 0.090846661274546228},
               {12, 0.086901872871768385},
               {100, 0.010050166663333571},
               {1e10, 1.00000000005e-10}},
              8);
  CHECK(of(trigamma, {0, -1, infinity}) == std::vector<double>{infinity, infinity, 0});
  const auto slope = grad([](const tensor& x) { return sum(trigamma(x)); });
  CHECK(error_of([&] { slope(ones({1}, float64)); }).find("trigamma") != std::string::npos);
}

}  // namespace troupe::testing
