// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/view_as.hpp"

#include <bit>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("view_as shows the same bytes as another dtype") {
  test_engine e;
  const tensor x = {{1.0f, -2.0f}};
  const auto bits = view_as(x, int32);
  CHECK(type_text(bits) == "int32[1,2]");
  CHECK(numbers(bits) == std::vector<double>{0x3f800000, std::bit_cast<std::int32_t>(-2.0f)});
  CHECK(numbers(view_as(bits, float32)) == numbers(x));
  CHECK(type_text(view_as(x, int64)) == "int64[1,1]");
  CHECK(type_text(view_as(x, uint8)) == "uint8[1,8]");
  CHECK(type_text(view_as(x, complex64)) == "complex64[1,1]");
  CHECK(numbers(view_as(tensor{true, false}, uint8)) == std::vector<double>{1, 0});
  CHECK(type_text(view_as(zeros({3, 0}), int8)) == "int8[3,0]");
  CHECK(type_text(view_as(zeros({0, 2}), float64)) == "float64[0,1]");
  CHECK(view_as(x, float32).source() == x.source());
}

TEST_CASE("view_as takes the elements of a view in row-major order") {
  test_engine e;
  const auto x = arange(6, int32).reshape({2, 3}).T();
  CHECK(numbers(view_as(x, uint32)) == std::vector<double>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("view_as copies arrays of many chunks whole") {
  test_engine e;
  const auto x = normal({1000, 1001});
  CHECK(view_as(view_as(x, uint8), float32).to_vector<float>() == x.to_vector<float>());
}

TEST_CASE("view_as refuses what has no such bytes") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(view_as(zeros({2, 3}), float64)) ==
        "view_as: float32[2,3] as float64: the last axis cannot be divided so");
  CHECK(TROUPE_ERROR_OF(view_as(zeros({}), int8)) ==
        "view_as: float32[] as int8: a scalar keeps the size of its element");
  CHECK(TROUPE_ERROR_OF(view_as(zeros({2}, uint8), boolean)) ==
        "view_as: uint8[2] as bool: not every byte is a bool");
  constexpr auto many = std::int64_t{1} << 58;
  CHECK(TROUPE_ERROR_OF(view_as(zeros({0, many}, complex128), uint8)).find("can be counted") !=
        std::string::npos);
  CHECK(TROUPE_ERROR_OF(view_as(tensor{}, int8)) == "view_as: the input names no array yet");
}

}  // namespace troupe::testing
