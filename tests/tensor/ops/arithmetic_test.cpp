// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/arithmetic.hpp"

#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("positive gives the number as it is, and refuses bool") {
  test_engine e;
  CHECK(numbers(positive(tensor{-1, 2})) == list{-1, 2});
  CHECK(TROUPE_ERROR_OF(positive(tensor{true})) == "positive: not possible for bool[1]");
  CHECK(TROUPE_ERROR_OF(positive(tensor{})) == "positive: the input names no array yet");
}

TEST_CASE("clip may have one end only") {
  test_engine e;
  const auto nan = std::nan("");
  CHECK(numbers(clip(tensor{-1, 2, 5}, 0, std::nullopt)) == list{0, 2, 5});
  CHECK(numbers(clip(tensor{-1, 2, 5}, std::nullopt, 3)) == list{-1, 2, 3});
  CHECK(numbers(clip(tensor{-1., 2.}, tensor{0., 3.}, std::nullopt)) == list{0, 3});
  CHECK(std::isnan(clip(tensor{nan}, 0, std::nullopt).item()));
  CHECK(clip(full({}, UINT64_MAX, uint64), 1, std::nullopt).item<std::uint64_t>() == UINT64_MAX);
  CHECK(clip(full({}, INT64_MIN), std::nullopt, 1).item<std::int64_t>() == INT64_MIN);
  CHECK(type_text(clip(tensor{true, false}, std::nullopt, false)) == "bool[2]");
  check_gradient([](const tensor& x) { return clip(x, 0.5, std::nullopt) * x; }, {{1.5, -2., 3.}});
  CHECK(TROUPE_ERROR_OF(clip(tensor{}, 1, std::nullopt)) == "clip: the input names no array yet");
}

TEST_CASE("divmod gives the quotients rounded down and what they leave") {
  test_engine e;
  const auto [quotient, rest] = divmod(tensor{7, -7, 7}, tensor{2, 2, -2});
  CHECK(numbers(quotient) == list{3, -4, -4});
  CHECK(numbers(rest) == list{1, 1, -1});
  CHECK(numbers(divmod(tensor{7.5}, 2).remainder) == list{1.5});
  CHECK(numbers(divmod(9, tensor{4}).quotient) == list{2});
  CHECK(TROUPE_ERROR_OF(divmod(ones({2}), ones({3}))) ==
        "floor_divide: shapes do not broadcast: float32[2] and float32[3]");
}

TEST_CASE("round rounds to decimals, or to tens, hundreds, ...") {
  test_engine e;
  const tensor x{1.25, -2.346, 1250.0};
  CHECK(numbers(round(x, 1)) == list{1.2, -2.3, 1250});
  CHECK(numbers(round(x, 2)) == list{1.25, -2.35, 1250});
  CHECK(numbers(round(x, -2)) == list{0, 0, 1200});
  CHECK(numbers(round(x, 0)) == numbers(round(x)));
  CHECK(round(ones({1}), 2).dtype() == float32);
  CHECK(numbers(round(tensor{1250, -17}, -1)) == list{1250, -20});
  CHECK(type_text(round(ones({2}, int32), -1)) == "int32[2]");
  CHECK(numbers(round(tensor{17}, 2)) == list{17});
  CHECK(TROUPE_ERROR_OF(round(tensor{}, 1)) == "round: the input names no array yet");
}

TEST_CASE("copysign takes the sign of any number, also of zero") {
  test_engine e;
  const tensor x{1., -2., 3., -4.}, y{-0., 0., -INFINITY, 5.};
  CHECK(numbers(copysign(x, y)) == list{-1, 2, -3, 4});
  CHECK(numbers(signbit(y)) == list{1, 0, 1, 0});
  CHECK(numbers(signbit(tensor{-3, 0, 4})) == list{1, 0, 0});
  CHECK(copysign(tensor{1, 2}, tensor{-1, 1}).dtype() == float64);
  check_gradient(
      [&](const tensor& v) {
        return copysign(v, tensor{-1., 1., -2., 2.});
      },
      tensor{1., -2., 3., 0.5});
}

TEST_CASE("nextafter gives the next number of the dtype") {
  test_engine e;
  CHECK(numbers(nextafter(tensor{1., 0.}, tensor{2., -1.})) == list{1 + 0x1p-52, -0x1p-1074});
  CHECK(numbers(nextafter(ones({1}), 0)) == list{1 - 0x1p-24});
  CHECK(TROUPE_ERROR_OF(nextafter(ones({1}, float16), 0)) ==
        "nextafter: not possible for float16[1] and 0");
}

TEST_CASE("lerp is exact at both ends, and between them a weighted mean") {
  test_engine e;
  const tensor x{0.1, 5., -1e300}, y{0.7, 9., 1e-300};
  CHECK(numbers(lerp(x, y, 0)) == numbers(x));
  CHECK(numbers(lerp(x, y, 1)) == numbers(y));
  CHECK(numbers(lerp(x, y, 0.25))[1] == 6);
  CHECK(numbers(lerp(ones({2}, int32), 3, 0.5)) == list{2, 2});
  const auto w = distinct({3});
  check_gradient([&](const tensor& v) { return lerp(v, w, 0.3); }, distinct({3}));
  check_gradient([&](const tensor& v) { return lerp(w, v, w); }, distinct({3}) * 2.0);
  check_gradient([&](const tensor& v) { return lerp(w, w * 3.0, v); }, distinct({3}));
}

TEST_CASE("bits move up and down; places beyond the width leave 0 or the sign") {
  test_engine e;
  const tensor x{5, -5, 1, -1};
  CHECK(numbers(x << 2) == list{20, -20, 4, -4});
  CHECK(numbers(x >> 1) == list{2, -3, 0, -1});
  CHECK(numbers(x << tensor{63, 64, 1000, -1}) == list{-0x1p63, 0, 0, 0});
  CHECK(numbers(x >> tensor{64, 64, -1, -1}) == list{0, -1, 0, -1});
  CHECK(numbers(astype(x, int32) << 31) == list{-0x1p31, -0x1p31, -0x1p31, -0x1p31});
  CHECK(numbers(astype(x, int32) << 32) == list{0, 0, 0, 0});
  CHECK(numbers(astype(x, int32) >> 32) == list{0, -1, 0, -1});
  CHECK(numbers(1 << tensor{0, 3}) == list{1, 8});
  CHECK(numbers(bitwise_right_shift(256, tensor{4})) == list{16});
  CHECK(TROUPE_ERROR_OF(ones({2}) << 1) == "bitwise_left_shift: not possible for float32[2] and 1");
  CHECK(TROUPE_ERROR_OF(tensor{true} >> tensor{true}) ==
        "bitwise_right_shift: not possible for bool[1] and bool[1]");
}

}  // namespace troupe::testing
