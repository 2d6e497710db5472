// SPDX-License-Identifier: MIT
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/selection.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

template <class T, class U>
concept can_be_given = requires(T&& x, const U& y) {
  static_cast<T&&>(x) = y;
};

}  // namespace

TEST_CASE("a number makes a tensor without axes") {
  test_engine e;
  CHECK(type_text(tensor(3.0)) == "float64[]");
  CHECK(type_text(tensor(3.0f)) == "float32[]");
  CHECK(type_text(tensor(3)) == "int64[]");
  CHECK(type_text(tensor(true)) == "bool[]");
  CHECK(type_text(tensor{3.0}) == "float64[1]");
  CHECK(tensor(-2.5).item() == -2.5);
}

TEST_CASE("empty braces are default options, not the dtype bool") {
  test_engine e;
  CHECK(type_text(zeros({2}, {})) == "float32[2]");
  CHECK(type_text(ones({2}, {})) == "float32[2]");
  CHECK(type_text(full({2}, 1, {})) == "int64[2]");
  CHECK(type_text(arange(2, {})) == "int64[2]");
  CHECK(type_text(uniform({2}, {})) == "float32[2]");
  CHECK(type_text(zeros({2}, float64)) == "float64[2]");
  CHECK(type_text(tensor({1, 2}, float32)) == "float32[2]");
}

TEST_CASE("sizes of a shape are checked, and count from the end") {
  const shape s = {2, 3, 4};
  CHECK(s[-1] == 4);
  CHECK(s[-3] == 2);
  CHECK_THROWS_AS(s[3], std::out_of_range);
  CHECK_THROWS_WITH(s[-4], "shape: axis -4 is out of range for [2,3,4]");
  CHECK_THROWS_WITH(shape()[0], "shape: axis 0 is out of range for []");
}

TEST_CASE("sizes, axes and orders may be known only at run time") {
  test_engine e;
  const std::vector<std::int64_t> sizes = {2, 3};
  const std::vector<int> narrow = {3, 2}, axes = {0, 1}, order = {1, 0};
  CHECK(type_text(zeros(sizes)) == "float32[2,3]");
  CHECK(type_text(ones(narrow)) == "float32[3,2]");
  CHECK(sum(ones(sizes), axes).item() == 6);
  CHECK(ones(sizes).sum(axes).item() == 6);
  CHECK(type_text(transpose(ones(sizes), order)) == "float32[3,2]");
  CHECK(type_text(ones(sizes).transpose(order)) == "float32[3,2]");
  const std::vector<std::int64_t> open = {-1, 2};
  CHECK(type_text(reshape(ones(sizes), open)) == "float32[3,2]");
  CHECK(type_text(ones(sizes).reshape(open)) == "float32[3,2]");
  CHECK(type_text(broadcast_to(ones({3}), sizes)) == "float32[2,3]");
}

TEST_CASE("elements are read as any number that holds them") {
  test_engine e;
  const tensor x = {1, 2, 300};
  CHECK(x[0].item<unsigned>() == 1);
  CHECK(x[1].item() == 2.0);
  CHECK(x[2].item<short>() == 300);
  CHECK(x.to_vector<std::uint16_t>() == std::vector<std::uint16_t>{1, 2, 300});
  CHECK(x.to_vector() == std::vector<double>{1, 2, 300});
  CHECK(TROUPE_ERROR_OF(x[2].item<unsigned char>()) == "item: 300 does not fit uint8");
  CHECK(TROUPE_ERROR_OF((-x).to_vector<std::uint64_t>()) == "to_vector: -1 does not fit uint64");
  CHECK(TROUPE_ERROR_OF(tensor(3'000'000'000).item<int>()) ==
        "item: 3000000000 does not fit int32");
  CHECK(TROUPE_ERROR_OF(tensor(1e30).item<std::int64_t>()) == "item: 1e+30 does not fit int64");
  CHECK(TROUPE_ERROR_OF(tensor(0x1p63).item<std::int64_t>()) ==
        "item: 9223372036854775808 does not fit int64");
  CHECK(tensor(-0x1p63).item<std::int64_t>() == INT64_MIN);
  CHECK(TROUPE_ERROR_OF(tensor({1.5, NAN}).to_vector<int>()) ==
        "to_vector: nan does not fit int32");
  CHECK(tensor(-1.9).item<int>() == -1);
  CHECK(tensor(255.9).item<std::uint8_t>() == 255);
  CHECK(TROUPE_ERROR_OF(tensor(256.).item<std::uint8_t>()) == "item: 256 does not fit uint8");
}

TEST_CASE("temporaries cannot be assigned, where it would be lost") {
  STATIC_REQUIRE(can_be_given<tensor&, tensor>);
  STATIC_REQUIRE_FALSE(can_be_given<tensor, tensor>);
  STATIC_REQUIRE_FALSE(can_be_given<tensor, double>);
  STATIC_REQUIRE(can_be_given<assignable_part, double>);
  STATIC_REQUIRE_FALSE(can_be_given<assignable_part&, double>);
  STATIC_REQUIRE_FALSE(can_be_given<selected_part, double>);
}

}  // namespace troupe::testing
