// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "troupe/devices/philox.hpp"
#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

namespace {

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

TEST_CASE("kernels of random numbers refuse dtypes that they do not make") {
  CHECK(uniform_kernel(int32) == nullptr);
  CHECK(normal_kernel(boolean) == nullptr);
  CHECK(randint_kernel(float32) == nullptr);
}

TEST_CASE("Philox gives the words of its authors' test vectors") {
  const auto zero = philox::generate(0, 0);
  REQUIRE((zero.numbers[0] == 0x6627e8d5 && zero.numbers[1] == 0xe169c58d &&
           zero.numbers[2] == 0xbc57ac4c && zero.numbers[3] == 0x9b00dbd8));
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
