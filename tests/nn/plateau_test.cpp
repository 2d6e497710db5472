// SPDX-License-Identifier: MIT
#include "troupe/nn/plateau.hpp"

#include <cmath>
#include <vector>

#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

// The wanted numbers are those of PyTorch's ReduceLROnPlateau.
TEST_CASE("the rate falls when the loss has been no better for too long") {
  nn::plateau rate(1, {.factor = 0.5, .patience = 1, .least = 0.3});
  std::vector<double> rates;
  for (const double loss : {5., 4., 4., 4., 4., 4., 3., 3., 3., 3., 3.})
    rates.push_back(rate(loss));
  CHECK(rates == std::vector<double>{1, 1, 1, 0.5, 0.5, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3});
  CHECK(rate.rate() == 0.3);
}

TEST_CASE("a little better is no better, and NaN is not") {
  nn::plateau rate(1, {.factor = 0.5, .patience = 0, .threshold = 0.1});
  CHECK(rate(100) == 1);
  CHECK(rate(95) == 0.5);
  CHECK(rate(89) == 0.5);
  CHECK(rate(NAN) == 0.25);
  nn::plateau below(1, {.factor = 0.5, .patience = 0, .threshold = 0.1});
  CHECK(below(-100) == 1);
  CHECK(below(-105) == 0.5);
  CHECK(below(-111) == 0.5);
  nn::plateau low(1e-3, {.factor = 0.5, .patience = 0, .least = 1e-2});
  low(1);
  CHECK(low(1) == 1e-3);  // never rises
}

TEST_CASE("rates and factors that make no sense are refused") {
  CHECK(TROUPE_ERROR_OF(nn::plateau(-1)) == "plateau: the rate is -1.000000");
  CHECK(TROUPE_ERROR_OF(nn::plateau(1, {.factor = 1})) == "plateau: the factor is 1.000000");
  CHECK(TROUPE_ERROR_OF(nn::plateau(1, {.patience = -1})) == "plateau: the patience is -1.000000");
  CHECK(TROUPE_ERROR_OF(nn::plateau(1, {.threshold = NAN})) == "plateau: the threshold is nan");
  CHECK(TROUPE_ERROR_OF(nn::plateau(1, {.least = -1})) == "plateau: the least rate is -1.000000");
}

}  // namespace troupe::testing
