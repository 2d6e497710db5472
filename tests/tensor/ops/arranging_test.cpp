// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/arranging.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;
constexpr auto large = std::int64_t{1} << 40;

}  // namespace

TEST_CASE("roll moves elements along axes, or among all") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(numbers(roll(x, 1)) == list{5, 0, 1, 2, 3, 4});
  CHECK(type_text(roll(x, 1)) == "int64[2,3]");
  CHECK(numbers(roll(x, 1, 0)) == list{3, 4, 5, 0, 1, 2});
  CHECK(numbers(roll(x, -1, -1)) == list{1, 2, 0, 4, 5, 3});
  CHECK(numbers(roll(x, 7, 1)) == numbers(roll(x, 1, 1)));
  CHECK(numbers(roll(x, INT64_MIN, 1)) == numbers(roll(x, INT64_MIN % 3, 1)));
  CHECK(numbers(roll(x.T(), 1)) == list{5, 0, 3, 1, 4, 2});
  CHECK(numbers(roll(x, {1, 1}, {0, 1})) == list{5, 3, 4, 2, 0, 1});
  CHECK(numbers(roll(x, {1}, {0, 1})) == list{5, 3, 4, 2, 0, 1});
  CHECK(numbers(roll(x, {1, 1}, {1})) == numbers(roll(x, 2, 1)));
  CHECK(roll(full({}, 3), 5).item<int>() == 3);
  CHECK(type_text(roll(zeros({0, 2}), 5, 0)) == "float32[0,2]");
  CHECK(type_text(roll(x > 1, 1, 0)) == "bool[2,3]");
  check_gradient([](const tensor& y) { return roll(y, {1, 2}, {0, -1}); }, distinct({2, 3}));
}

TEST_CASE("roll refuses axes that are not there and shifts that do not fit them") {
  test_engine e;
  const auto x = zeros({2, 3});
  CHECK(TROUPE_ERROR_OF(roll(x, 1, 2)) == "roll: axis 2 is out of range for float32[2,3]");
  CHECK(TROUPE_ERROR_OF(roll(full({}, 3), 1, 0)) == "roll: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(roll(x, {1, 2, 3}, {0, 1})) == "roll: 3 shifts for 2 axes");
  CHECK(TROUPE_ERROR_OF(roll(tensor{}, 1)) == "roll: the input names no array yet");
}

TEST_CASE("repeat writes each element so many times in a row") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(numbers(repeat(tensor{1, 2}, 3)) == list{1, 1, 1, 2, 2, 2});
  CHECK(type_text(repeat(x, 2)) == "int64[12]");
  CHECK(numbers(repeat(x, 2, 0)) == list{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  CHECK(numbers(repeat(x, 2, -1)) == list{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  CHECK(numbers(repeat(x.T(), 2, 0)) == list{0, 3, 0, 3, 1, 4, 1, 4, 2, 5, 2, 5});
  CHECK(type_text(repeat(x, 0, 1)) == "int64[2,0]");
  CHECK(type_text(repeat(full({}, true), 2)) == "bool[2]");
  CHECK(type_text(repeat(zeros({0, 2}), 3, 1)) == "float32[0,6]");
  CHECK(type_text(repeat(zeros({1, 1, 1, 1, 1, 1, 1, 2}), 3, -1)) == "float32[1,1,1,1,1,1,1,6]");
  check_gradient([](const tensor& y) { return repeat(y, 3, 1) * arange(6); }, distinct({3, 2}));
  CHECK(TROUPE_ERROR_OF(repeat(x, -1)) == "repeat: negative count -1");
  CHECK(TROUPE_ERROR_OF(repeat(x, 2, 2)) == "repeat: axis 2 is out of range for int64[2,3]");
  CHECK(TROUPE_ERROR_OF(repeat(full({}, 3), 2, 0)) == "repeat: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(repeat(x, INT64_MAX, 1)) ==
        "repeat: more elements than can be counted come out of int64[2,3]");
  CHECK(TROUPE_ERROR_OF(repeat(tensor{}, 1)) == "repeat: the input names no array yet");
}

TEST_CASE("vstack and hstack join rows, and what lies side by side") {
  test_engine e;
  using list = std::vector<double>;
  const tensor x = {1., 2.}, m = {{1., 2.}, {3., 4.}};
  CHECK(type_text(vstack({x, m})) == "float64[3,2]");
  CHECK(numbers(vstack({x, x})) == list{1, 2, 1, 2});
  CHECK(numbers(hstack({x, tensor(3.)})) == list{1, 2, 3});
  CHECK(numbers(hstack({m, tensor{{7.}, {8.}}})) == list{1, 2, 7, 3, 4, 8});
  CHECK(TROUPE_ERROR_OF(vstack({})) == TROUPE_ERROR_OF(concatenate({})));
  CHECK(TROUPE_ERROR_OF(vstack({tensor{}})) == "vstack: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(hstack({tensor{}})) == "hstack: the input names no array yet");
}

TEST_CASE("tile writes the whole so many times along each axis") {
  test_engine e;
  const auto x = arange(4).reshape({2, 2});
  CHECK(numbers(tile(x, {2})) == list{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(numbers(tile(x, {2, 1})) == list{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(numbers(tile(x.T(), {1, 2})) == list{0, 2, 0, 2, 1, 3, 1, 3});
  CHECK(type_text(tile(x, {3, 1, 2})) == "int64[3,2,4]");
  CHECK(type_text(tile(x, shape{2, 2})) == "int64[4,4]");
  CHECK(type_text(tile(x, {0, 2})) == "int64[0,4]");
  CHECK(type_text(tile(full({}, 1.5), {2, 2})) == "float32[2,2]");
  CHECK(type_text(tile(zeros({0}), {2})) == "float32[0]");
  CHECK(tile(full({}, 3), {}).item<int>() == 3);
  check_gradient([](const tensor& y) { return tile(y, {2, 2}) * arange(6); }, distinct({2, 3}));
  CHECK(TROUPE_ERROR_OF(tile(x, {2, -1})) == "tile: negative count -1");
  CHECK(TROUPE_ERROR_OF(tile(x, {1, 1, 1, 1, 1, 1, 1, 1, 1})) ==
        "tile: 9 counts; at most 8 axes are possible");
  CHECK(TROUPE_ERROR_OF(tile(x, {large, large})) ==
        "tile: more elements than can be counted come out of int64[2,2199023255552]");
  CHECK(TROUPE_ERROR_OF(tile(tensor{}, {1})) == "tile: the input names no array yet");
}

TEST_CASE("pad surrounds elements by a number of their dtype") {
  test_engine e;
  const tensor x = {{1, 2}, {3, 4}};
  CHECK(numbers(pad(tensor{1, 2}, 1)) == list{0, 1, 2, 0});
  CHECK(type_text(pad(x, 1)) == "int64[4,4]");
  CHECK(numbers(pad(x, {{1, 0}, {0, 2}}, 7)) == list{7, 7, 7, 7, 1, 2, 7, 7, 3, 4, 7, 7});
  CHECK(numbers(pad(x, {{0, 1}})) == list{1, 2, 0, 3, 4, 0, 0, 0, 0});
  CHECK(numbers(pad(x.T(), {{0, 0}, {1, 0}})) == list{0, 1, 3, 0, 2, 4});
  CHECK(numbers(pad(x, 1, 1.9))[0] == 1);
  CHECK(type_text(pad(x > 1, 1, true)) == "bool[4,4]");
  CHECK(type_text(pad(full({}, 3), 1)) == "int64[]");
  CHECK(numbers(pad(zeros({0}), 1, 2.5)) == list{2.5, 2.5});
  check_gradient([](const tensor& y) { return pad(y, {{1, 2}, {0, 1}}, 0.5); }, distinct({2, 3}));
}

TEST_CASE("pad surrounds elements by elements of the same array") {
  test_engine e;
  const tensor x = {1, 2, 3};
  CHECK(numbers(pad(x, 2, pad_mode::edge)) == list{1, 1, 1, 2, 3, 3, 3});
  CHECK(numbers(pad(x, 2, pad_mode::reflect)) == list{3, 2, 1, 2, 3, 2, 1});
  CHECK(numbers(pad(x, 2, pad_mode::symmetric)) == list{2, 1, 1, 2, 3, 3, 2});
  CHECK(numbers(pad(x, {{2, 1}}, pad_mode::wrap)) == list{2, 3, 1, 2, 3, 1});
  // Wider than the array.
  CHECK(numbers(pad(x, {{5, 6}}, pad_mode::reflect)) ==
        list{2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2, 1});
  CHECK(numbers(pad(x, {{4, 0}}, pad_mode::symmetric)) == list{3, 3, 2, 1, 1, 2, 3});
  CHECK(numbers(pad(x, {{0, 7}}, pad_mode::wrap)) == list{1, 2, 3, 1, 2, 3, 1, 2, 3, 1});
  for (const auto mode : {pad_mode::edge, pad_mode::reflect, pad_mode::symmetric, pad_mode::wrap})
    CHECK(numbers(pad(tensor{7}, 2, mode)) == list{7, 7, 7, 7, 7});
  const tensor rows = {{1, 2}, {3, 4}};
  CHECK(numbers(pad(rows, {{1, 0}, {0, 1}}, pad_mode::wrap)) == list{3, 4, 3, 1, 2, 1, 3, 4, 3});
  CHECK(type_text(pad(rows > 1, 1, pad_mode::edge)) == "bool[4,4]");
  CHECK(type_text(pad(full({}, 3), 1, pad_mode::wrap)) == "int64[]");
  CHECK(type_text(pad(zeros({0, 2}), {{0, 0}, {1, 1}}, pad_mode::reflect)) == "float32[0,4]");
  for (const auto mode : {pad_mode::edge, pad_mode::reflect, pad_mode::symmetric, pad_mode::wrap})
    check_gradient(
        [mode](const tensor& y) {
          return pad(y, {{1, 4}, {0, 1}}, mode);
        },
        distinct({2, 3}));
}

TEST_CASE("pad refuses to surround an axis without elements by its own") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(pad(zeros({2, 0}), 1, pad_mode::edge)) ==
        "pad: no elements along axis 1 of float32[2,0] to surround it with");
  CHECK(TROUPE_ERROR_OF(pad(zeros({2}), -1, pad_mode::wrap)) == "pad: negative width -1");
  CHECK(TROUPE_ERROR_OF(pad(zeros({2}), {{1, 1}, {1, 1}}, pad_mode::wrap)) ==
        "pad: 2 pairs of widths for float32[2]");
  CHECK(TROUPE_ERROR_OF(pad(zeros({2}), INT64_MAX, pad_mode::wrap)) ==
        "pad: more elements than can be counted come out of float32[2]");
  CHECK(TROUPE_ERROR_OF(pad(tensor{}, 1, pad_mode::wrap)) == "pad: the input names no array yet");
}

TEST_CASE("pad refuses widths that do not fit and numbers that the dtype does not hold") {
  test_engine e;
  const auto x = zeros({2, 3}, int32);
  CHECK(TROUPE_ERROR_OF(pad(x, -1)) == "pad: negative width -1");
  CHECK(TROUPE_ERROR_OF(pad(x, {{1, 1}, {0, -2}})) == "pad: negative width -2");
  CHECK(TROUPE_ERROR_OF(pad(x, {{1, 1}, {1, 1}, {1, 1}})) ==
        "pad: 3 pairs of widths for int32[2,3]");
  CHECK(TROUPE_ERROR_OF(pad(x, 1, 3000000000)) == "pad: 3000000000 does not fit int32");
  CHECK(TROUPE_ERROR_OF(pad(x, large)) ==
        "pad: more elements than can be counted come out of int32[2,3]");
  CHECK(TROUPE_ERROR_OF(pad(x, INT64_MAX)) ==
        "pad: more elements than can be counted come out of int32[2,3]");
  CHECK(TROUPE_ERROR_OF(pad(tensor{}, 1)) == "pad: the input names no array yet");
}

}  // namespace troupe::testing
