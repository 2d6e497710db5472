// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include <random>

#include "troupe/devices/cuda/offsets.hpp"

using namespace troupe;
using namespace troupe::cuda;

TEST_CASE("a known divisor divides every number below 2^31") {
  std::mt19937 numbers(1);
  std::uniform_int_distribution<std::uint32_t> any(0, 0x7fffffff), bits(0, 30);
  for (int i = 0; i < 100'000; ++i) {
    const auto by = std::max(any(numbers) >> bits(numbers), 1u), n = any(numbers) >> bits(numbers);
    CAPTURE(by, n);
    REQUIRE(divisor(by).quotient(n) == n / by);
    REQUIRE(divisor(by).quotient(0x7fffffff) == 0x7fffffff / by);
    if (n >= by) REQUIRE(divisor(by).quotient(n / by * by - 1) == n / by - 1);
  }
}

TEST_CASE("offsets equal those of their nest, even for very large arrays") {
  std::mt19937 numbers(2);
  for (int i = 0; i < 1'000; ++i) {
    loop_nest axes;
    axes.rank = static_cast<int>(1 + numbers() % 5);
    std::int64_t size = 1;
    for (int axis = 0; axis < axes.rank; ++axis) {
      axes.shape[axis] = static_cast<std::int64_t>(1 + numbers() % (i % 2 ? 9 : 300));
      size *= axes.shape[axis];
      for (int k = 0; k < 2; ++k)
        axes.strides[k][axis] = static_cast<std::int64_t>(numbers() % 100) - 50;
    }
    const offsets<2> made(axes);
    for (int j = 0; j < 20; ++j) {
      const auto element = static_cast<std::int64_t>(numbers()) * 97 % size;
      std::int64_t got[2];
      made.at(element, got);
      CHECK(got[0] == axes.offset(0, element));
      CHECK(got[1] == axes.offset(1, element));
    }
  }
}
