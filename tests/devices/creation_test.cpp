// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/creation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "troupe/devices/philox.hpp"
#include "troupe/tests/devices/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

template <class Attributes>
owned make(const cpu_kernel* kernel, dtype type, const indices& shape,
           const Attributes& attributes) {
  owned out(type, shape);
  run(kernel, {}, out, &attributes);
  REQUIRE(order_does_not_matter(kernel, {}, type, shape, &attributes));
  return out;
}

struct moments {
  double mean = 0, variance = 0, low = INFINITY, high = -INFINITY;
  explicit moments(const owned& x) {
    const auto n = static_cast<double>(x.size());
    for (std::int64_t i = 0; i < x.size(); ++i) {
      mean += x.at(i) / n;
      low = std::min(low, x.at(i)), high = std::max(high, x.at(i));
    }
    for (std::int64_t i = 0; i < x.size(); ++i) variance += (x.at(i) - mean) * (x.at(i) - mean) / n;
  }
};

}  // namespace

TEST_CASE("fill, arange, linspace and eye create the arrays they are named after") {
  for (const dtype type : computed_dtypes) {
    const owned x = make(fill_kernel(type), type, {70000}, fill_attributes{3});
    REQUIRE((x.at(0) == (type == boolean ? 1 : 3) && x.at(69999) == x.at(0)));
    const owned identity = make(eye_kernel(type), type, {2, 300, 200}, eye_attributes{-1});
    double sum = 0;
    for (std::int64_t i = 0; i < identity.size(); ++i) sum += identity.at(i);
    REQUIRE(sum == 400);
    REQUIRE(identity.at(1 * 200 + 0) == 1);
    REQUIRE(identity.at(300 * 200 + 200 * 200 + 199) == 1);
    if (type == boolean) continue;
    const owned range = make(arange_kernel(type), type, {70000}, arange_attributes{5, -2});
    REQUIRE((range.at(0) == 5 && range.at(69999) == 5 - 2 * 69999));
  }
  const std::int64_t big = 9007199254740993;
  REQUIRE(make(fill_kernel(int64), int64, {1}, fill_attributes{big}).at<std::int64_t>(0) == big);
  const owned line =
      make(linspace_kernel(float64), float64, {4}, linspace_attributes{0, 1, 1.0 / 3});
  REQUIRE((line.at(0) == 0 && line.at(1) == 1.0 / 3 && line.at(3) == 1));
  REQUIRE(make(fill_kernel(float32), float32, {0}, fill_attributes{1}).size() == 0);
  REQUIRE(arange_kernel(boolean) == nullptr);
  REQUIRE(uniform_kernel(int32) == nullptr);
}

TEST_CASE("Philox gives the words of its authors' test vectors") {
  const auto zero = philox::generate(0, 0);
  REQUIRE((zero.at[0] == 0x6627e8d5 && zero.at[1] == 0xe169c58d && zero.at[2] == 0xbc57ac4c &&
           zero.at[3] == 0x9b00dbd8));
}

TEST_CASE("random numbers have the moments of their distributions") {
  const random_source source{42, 7};
  for (const dtype type : {float32, float64}) {
    const moments uniform(
        make(uniform_kernel(type), type, {1000, 1001}, uniform_attributes{source, -1, 3}));
    REQUIRE(uniform.mean == Approx(1).margin(0.01));
    REQUIRE(uniform.variance == Approx(16.0 / 12).margin(0.01));
    REQUIRE((uniform.low >= -1 && uniform.high < 3));
    const moments normal(
        make(normal_kernel(type), type, {1000, 1001}, normal_attributes{source, 2, 3}));
    REQUIRE(normal.mean == Approx(2).margin(0.02));
    REQUIRE(normal.variance == Approx(9).margin(0.1));
    REQUIRE((normal.low < -9 && normal.high > 13));
  }
  for (const dtype type : {int32, int64}) {
    const moments dice(
        make(randint_kernel(type), type, {100001}, randint_attributes{source, -2, 4}));
    REQUIRE(dice.mean == Approx(0.5).margin(0.03));
    REQUIRE(dice.variance == Approx(35.0 / 12).margin(0.05));
    REQUIRE((dice.low == -2 && dice.high == 3));
  }
  const moments wide(make(randint_kernel(int64), int64, {100001},
                          randint_attributes{source, INT64_MIN, INT64_MAX}));
  REQUIRE(std::abs(wide.mean) < 0x1p63 / 100);
  REQUIRE((wide.low < -0.99 * 0x1p63 && wide.high > 0.99 * 0x1p63));
}

TEST_CASE("a random element depends on its key, counter and number alone") {
  const auto draw = [](std::uint64_t key, std::uint64_t counter, std::int64_t n) {
    return make(normal_kernel(float32), float32, {n}, normal_attributes{{key, counter}, 0, 1});
  };
  const owned x = draw(1, 0, 50000), shorter = draw(1, 0, 45001);
  for (std::int64_t i = 0; i < 45001; ++i) {
    if (x.at(i) != shorter.at(i)) FAIL("element " << i);
  }
  const owned later = draw(1, philox::lanes, 64);
  for (std::int64_t i = 0; i < 64; ++i) {
    if (later.at(i) != x.at(64 + i)) FAIL("element " << i);
  }
  REQUIRE_FALSE(draw(2, 0, 64).same_bits(draw(1, 0, 64)));
  REQUIRE(philox::counters(65) == 3 * philox::lanes);
}
