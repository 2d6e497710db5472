// SPDX-License-Identifier: MIT
#include "troupe/nn/positions.hpp"

#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/nn/check_near.hpp"
#include "troupe/tests/nn/finite_differences.hpp"

namespace troupe::testing {

namespace {

double angle_of(std::int64_t position, std::int64_t pair, std::int64_t features, double base) {
  return static_cast<double>(position) *
         std::pow(base, -2. * static_cast<double>(pair) / static_cast<double>(features));
}

}  // namespace

TEST_CASE("sinusoidal positions are sines and cosines of growing wave lengths") {
  test_engine e;
  const auto p = nn::sinusoidal_positions(5, 6, 3, {.dtype = float64});
  std::vector<double> want;
  for (std::int64_t i = 3; i < 8; ++i) {
    for (std::int64_t pair = 0; pair < 3; ++pair) {
      want.push_back(std::sin(angle_of(i, pair, 6, 1e4)));
      want.push_back(std::cos(angle_of(i, pair, 6, 1e4)));
    }
  }
  check_near(p, want);
  CHECK(type_text(nn::sinusoidal_positions(0, 2)) == "float32[0,2]");
}

TEST_CASE("rotary positions turn pairs of features by the angles of their positions") {
  test_engine e;
  const auto x = spread({2, 3, 4});
  for (const bool interleaved : {false, true}) {
    CAPTURE(interleaved);
    const auto in = numbers(x);
    auto want = in;
    for (std::size_t row = 0; row < 6; ++row) {
      for (std::size_t pair = 0; pair < 2; ++pair) {
        const auto a = row * 4 + (interleaved ? 2 * pair : pair);
        const auto b = interleaved ? a + 1 : a + 2;
        const double turn = angle_of(static_cast<std::int64_t>(row % 3) + 7,
                                     static_cast<std::int64_t>(pair), 4, 100);
        want[a] = in[a] * std::cos(turn) - in[b] * std::sin(turn);
        want[b] = in[a] * std::sin(turn) + in[b] * std::cos(turn);
      }
    }
    check_near(nn::rotary(x, {.first = 7, .base = 100, .interleaved = interleaved}), want);
  }
}

TEST_CASE("products of rotated features depend on the distance of their positions alone") {
  test_engine e;
  const auto q = spread({1, 8}), k = spread({1, 8}, 1);
  const auto product = [&](std::int64_t at, std::int64_t other) {
    return sum(multiply(nn::rotary(q, {.first = at}), nn::rotary(k, {.first = other})))
        .item<double>();
  };
  CHECK(near(product(3, 1), product(12, 10), 1e-12));
  CHECK_FALSE(near(product(3, 1), product(3, 2), 1e-3));
}

TEST_CASE(
    "the gradients of rotary positions agree with finite differences, and compiled they are "
    "the same") {
  test_engine e;
  const auto x = spread({2, 3, 4});
  for (const bool interleaved : {false, true}) {
    check_gradients(
        [&](const std::vector<tensor>& t) {
          return nn::rotary(t[0], {.first = 2, .interleaved = interleaved});
        },
        {x});
    const auto turn = [&](const tensor& in) {
      return nn::rotary(in, {.interleaved = interleaved});
    };
    const auto program = compile(turn);
    for (int i = 0; i < 3; ++i) CHECK(numbers(program(x)) == numbers(turn(x)));
  }
}

TEST_CASE("positions that make no sense are refused in one line") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(nn::sinusoidal_positions(-1, 4)) ==
        "sinusoidal_positions: negative steps -1");
  CHECK(TROUPE_ERROR_OF(nn::sinusoidal_positions(2, 5)) ==
        "sinusoidal_positions: 5 features: there must be an even number of them, two at least");
  CHECK(TROUPE_ERROR_OF(nn::sinusoidal_positions(2, 4, 0, {.dtype = int64})) ==
        "sinusoidal_positions: positions have no dtype int64");
  CHECK(TROUPE_ERROR_OF(nn::rotary(ones({4}))) ==
        "rotary: x is float32[4], but must have at least 2 axes");
  CHECK(TROUPE_ERROR_OF(nn::rotary(ones({3, 5}))) ==
        "rotary: x is float32[3,5], but must have an even number of features, two at least");
  CHECK(TROUPE_ERROR_OF(nn::rotary(ones({3, 4}), {.base = 0})) ==
        "rotary: the base is 0.0 and must be above 0");
}

}  // namespace troupe::testing
