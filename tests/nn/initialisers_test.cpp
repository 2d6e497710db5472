// SPDX-License-Identifier: MIT
#include "troupe/nn/initialiser.hpp"

#include "troupe/tensor/ops/random.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Expected result of an initialiser: the standard deviation, and the limits of a uniform one.
struct expectation {
  const char* name;
  nn::initialiser first;
  shape sizes;
  double mean, deviation;
  bool uniform;
};

}  // namespace

TEST_CASE("fans count inputs and outputs: by the last two axes, or as in conv2d") {
  const auto of = [](const shape& s) {
    const auto f = nn::fan_of(s);
    return std::pair(f.in, f.out);
  };
  CHECK(of({}) == std::pair<std::int64_t, std::int64_t>(1, 1));
  CHECK(of({7}) == std::pair<std::int64_t, std::int64_t>(7, 7));
  CHECK(of({20, 30}) == std::pair<std::int64_t, std::int64_t>(20, 30));
  CHECK(of({64, 3, 5, 5}) == std::pair<std::int64_t, std::int64_t>(75, 1600));
  CHECK(of({8, 4, 3}) == std::pair<std::int64_t, std::int64_t>(12, 24));
  CHECK(of({0, 4, 3}).first >= 0);
}

TEST_CASE("initialisers draw numbers with the expected mean, variance and limits") {
  test_engine e;
  seed(3);
  using namespace nn::init;
  const shape dense{100, 300}, image{50, 12, 5, 5};
  const expectation all[] = {
      {"uniform", uniform(-1, 3), dense, 1, 4 / std::sqrt(12.), true},
      {"normal", normal(2, 0.5), dense, 2, 0.5, false},
      {"glorot_uniform", glorot_uniform(), dense, 0, std::sqrt(2. / 400), true},
      {"glorot_normal", glorot_normal(), dense, 0, std::sqrt(2. / 400), false},
      {"he_uniform", he_uniform(), dense, 0, std::sqrt(2. / 100), true},
      {"he_normal", he_normal(), dense, 0, std::sqrt(2. / 100), false},
      {"lecun_uniform", lecun_uniform(), dense, 0, std::sqrt(1. / 300), true},
      {"glorot_uniform", glorot_uniform(), image, 0, std::sqrt(2. / (300 + 1250)), true},
      {"he_normal", he_normal(), image, 0, std::sqrt(2. / 300), false},
      {"lecun_uniform", lecun_uniform(), image, 0, std::sqrt(1. / 900), true}};
  for (const auto& x : all) {
    CAPTURE(x.name);
    const auto drawn = x.first(x.sizes, {.dtype = float64, .device = cpu(1)}, caller::current());
    CHECK(drawn.dtype() == float64);
    CHECK(drawn.device() == cpu(1));
    const auto v = numbers(drawn);
    const auto n = static_cast<double>(v.size());
    double mean = 0, spread = 0, least = v[0], most = v[0];
    for (const double d : v) mean += d / n, least = std::min(least, d), most = std::max(most, d);
    for (const double d : v) spread += (d - mean) * (d - mean) / n;
    CHECK(std::abs(mean - x.mean) < 5 * x.deviation / std::sqrt(n));
    CHECK(std::abs(std::sqrt(spread) / x.deviation - 1) < 0.03);
    const double limit = x.deviation * std::sqrt(3.);
    if (x.uniform) {
      CHECK(least >= x.mean - limit);
      CHECK(most < x.mean + limit);
      CHECK(most - least > 1.99 * limit);
    } else {
      CHECK(most - least > 2 * limit);
    }
  }
}

TEST_CASE("a constant initialiser gives its number") {
  test_engine e;
  CHECK(numbers(nn::init::constant(2.5)({3}, {}, caller::current())) ==
        std::vector<double>{2.5, 2.5, 2.5});
}

}  // namespace troupe::testing
