// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/special_numbers.hpp"

#include <cfloat>
#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

tensor specials(dtype element) {
  return from_data(list{NAN, INFINITY, -INFINITY, 0, -1.5}, {5}, {.dtype = element});
}

}  // namespace

TEST_CASE("infinities are told by their sign, in every dtype") {
  test_engine e;
  for (const auto element : {float16, bfloat16, float32, float64}) {
    CHECK(numbers(isposinf(specials(element))) == list{0, 1, 0, 0, 0});
    CHECK(numbers(isneginf(specials(element))) == list{0, 0, 1, 0, 0});
  }
  for (const auto element : {boolean, int32, int64})
    CHECK(numbers(isposinf(ones({2}, element))) == list{0, 0});
  CHECK(TROUPE_ERROR_OF(isposinf(tensor{})) == "isposinf: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(isneginf(tensor{})) == "isneginf: the input names no array yet");
}

TEST_CASE("nan_to_num puts numbers in place of NaN and the infinities") {
  test_engine e;
  CHECK(numbers(nan_to_num(specials(float64))) == list{0, DBL_MAX, -DBL_MAX, 0, -1.5});
  CHECK(numbers(nan_to_num(specials(float32))) == list{0, FLT_MAX, -FLT_MAX, 0, -1.5});
  CHECK(numbers(nan_to_num(specials(float16))) == list{0, 65504, -65504, 0, -1.5});
  CHECK(numbers(nan_to_num(specials(bfloat16)))[1] == 0x1.fep127);
  CHECK(numbers(nan_to_num(specials(float64), 7, 8, 9)) == list{7, 8, 9, 0, -1.5});
  CHECK(numbers(nan_to_num(specials(float64), 7, {}, 9))[1] == DBL_MAX);
  CHECK(nan_to_num(specials(float32), 7, 8, 9).dtype() == float32);
  CHECK(type_text(nan_to_num(ones({2}, int32))) == "int32[2]");
  const auto pairs = nan_to_num(complex(tensor{NAN, 1.}, tensor{2., -INFINITY}));
  CHECK(numbers(real(pairs)) == list{0, 1});
  CHECK(numbers(imag(pairs)) == list{2, -DBL_MAX});
  CHECK(TROUPE_ERROR_OF(nan_to_num(tensor{})) == "nan_to_num: the input names no array yet");
}

TEST_CASE("gradients flow through the numbers that nan_to_num leaves") {
  test_engine e;
  const auto slope = grad([](const tensor& x) { return sum(nan_to_num(x) * 3.0); });
  CHECK(numbers(slope(specials(float64))) == list{0, 0, 0, 3, 3});
}

}  // namespace troupe::testing
