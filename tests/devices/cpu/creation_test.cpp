// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "troupe/tests/devices/cpu/kernel_runner.hpp"

using namespace troupe;
using namespace troupe::cpu_kernels;
using namespace troupe::testing;

TEST_CASE("full, arange, linspace and eye make what they are named after") {
  for (const dtype type : computed_dtypes) {
    const owned x = make(full_kernel(type), type, {70000}, full_attributes{3});
    REQUIRE((x.at(0) == (type == boolean ? 1 : 3) && x.at(69999) == x.at(0)));
    const owned identity = make(eye_kernel(type), type, {2, 300, 200}, eye_attributes{-1});
    double sum = 0;
    for (std::int64_t i = 0; i < identity.size(); ++i) sum += identity.at(i);
    REQUIRE(sum == 400);
    REQUIRE(identity.at(1 * 200 + 0) == 1);
    REQUIRE(identity.at(300 * 200 + 200 * 200 + 199) == 1);
    if (type == boolean) continue;
    const owned range = make(arange_kernel(type), type, {70000}, arange_attributes{150000, -2});
    REQUIRE((range.at(0) == 150000 && range.at(69999) == 150000 - 2 * 69999));
  }
  const std::int64_t big = 9007199254740993;
  REQUIRE(make(full_kernel(int64), int64, {1}, full_attributes{big}).at<std::int64_t>(0) == big);
  const owned line =
      make(linspace_kernel(float64), float64, {4}, linspace_attributes{0, 1, 1.0 / 3});
  REQUIRE((line.at(0) == 0 && line.at(1) == 1.0 / 3 && line.at(3) == 1));
  REQUIRE(make(full_kernel(float32), float32, {0}, full_attributes{1}).size() == 0);
  REQUIRE(arange_kernel(boolean) == nullptr);
}
