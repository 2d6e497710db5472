// SPDX-License-Identifier: MIT
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

bool same_memory(const tensor& a, const tensor& b) { return a.source() == b.source(); }

using list = std::vector<double>;

}  // namespace

TEST_CASE(
    "reshape shows the same elements in the same order, without a copy where that is possible") {
  test_engine e;
  const auto x = arange(6);
  const auto y = x.reshape({2, -1});
  CHECK(type_text(y) == "int64[2,3]");
  CHECK(same_memory(x, y));
  CHECK(type_text(x.reshape({1, 6, 1})) == "int64[1,6,1]");
  CHECK(type_text(reshape(zeros({0, 4}), {-1, 2})) == "float32[0,2]");
  CHECK(type_text(ones({1}).reshape(shape{})) == "float32[]");
  const auto turned = y.T().reshape({6});
  CHECK_FALSE(same_memory(x, turned));
  CHECK(numbers(turned) == list{0, 3, 1, 4, 2, 5});
  CHECK(same_memory(x, y.T().reshape({3, 1, 2})));
  CHECK(numbers(y(every, range{0, 2}).flatten()) == list{0, 1, 3, 4});
  CHECK(same_memory(x, flatten(y)));
}

TEST_CASE("unflatten divides one axis") {
  test_engine e;
  const auto x = arange(12).reshape({2, 6});
  const auto y = unflatten(x, 1, {2, -1});
  CHECK(type_text(y) == "int64[2,2,3]");
  CHECK(same_memory(x, y));
  CHECK(type_text(unflatten(x, -2, {1, 2})) == "int64[1,2,6]");
  CHECK(type_text(unflatten(zeros({3, 0}), 1, {0, 5})) == "float32[3,0,5]");
  CHECK(numbers(unflatten(x.T(), 0, {3, 2})(2, 1)) == list{5, 11});
  CHECK(TROUPE_ERROR_OF(unflatten(x, 1, {4, -1})) ==
        "unflatten: axis 1 of int64[2,6] cannot be divided into [4,-1]");
  CHECK(TROUPE_ERROR_OF(unflatten(x, 1, {4, 2})) ==
        "unflatten: axis 1 of int64[2,6] has not as many elements as [4,2]");
  CHECK(TROUPE_ERROR_OF(unflatten(x, 1, {-1, -1})) == "unflatten: more than one -1 in [-1,-1]");
  CHECK(TROUPE_ERROR_OF(unflatten(x, 2, {1})) ==
        "unflatten: axis 2 is out of range for int64[2,6]");
}

TEST_CASE("reshape refuses shapes with another number of elements") {
  test_engine e;
  const auto x = arange(6);
  CHECK(TROUPE_ERROR_OF(x.reshape({4, 2})) ==
        "reshape: int64[6] has not as many elements as [4,2]");
  CHECK(TROUPE_ERROR_OF(x.reshape({4, -1})) == "reshape: int64[6] cannot be divided into [4,-1]");
  CHECK(TROUPE_ERROR_OF(x.reshape({-1, -1})) == "reshape: more than one -1 in [-1,-1]");
  CHECK(TROUPE_ERROR_OF(x.reshape({-2, -3})) == "shape: negative size -2 in [-2,-3]");
  CHECK(TROUPE_ERROR_OF(reshape(tensor{}, {1})) == "reshape: the input names no array yet");
}

TEST_CASE("reshape refuses sizes whose product cannot be counted") {
  test_engine e;
  const auto x = arange(6), none = zeros({0});
  constexpr auto large = std::int64_t{1} << 32;
  CHECK(TROUPE_ERROR_OF(x.reshape({large, large})) ==
        "reshape: int64[6] has not as many elements as [4294967296,4294967296]");
  CHECK(TROUPE_ERROR_OF(x.reshape({INT64_MAX, 2})) ==
        "reshape: int64[6] has not as many elements as [9223372036854775807,2]");
  CHECK(TROUPE_ERROR_OF(x.reshape({large, large, -1})) ==
        "reshape: int64[6] has not as many elements as [4294967296,4294967296,-1]");
  CHECK(TROUPE_ERROR_OF(x.reshape({std::int64_t{1} << 62})) ==
        "shape: [4611686018427387904] has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(none.reshape({0, large, large})) ==
        "shape: [0,4294967296,4294967296] has more elements than can be counted");
  CHECK(TROUPE_ERROR_OF(broadcast_to(zeros({1}), {large, large})) ==
        "shape: [4294967296,4294967296] has more elements than can be counted");
  CHECK(type_text(none.reshape({large, 0})) == "float32[4294967296,0]");
}

TEST_CASE("transposing changes the order of axes without a copy") {
  test_engine e;
  const auto x = arange(6).reshape({1, 2, 3});
  CHECK(type_text(x.T()) == "int64[3,2,1]");
  CHECK(numbers(x.T()) == list{0, 3, 1, 4, 2, 5});
  CHECK(type_text(transpose(x, {1, 0, -1})) == "int64[2,1,3]");
  CHECK(type_text(swapaxes(x, 0, -1)) == "int64[3,2,1]");
  CHECK(type_text(moveaxis(x, 0, -1)) == "int64[2,3,1]");
  CHECK(type_text(moveaxis(x, -1, 0)) == "int64[3,1,2]");
  CHECK(same_memory(x, x.T()));
  CHECK(TROUPE_ERROR_OF(transpose(x, {0, 1})) == "transpose: 2 axes named for int64[1,2,3]");
  CHECK(TROUPE_ERROR_OF(transpose(x, {0, 1, 1})) == "transpose: axis 1 is named twice");
  CHECK(TROUPE_ERROR_OF(swapaxes(x, 0, 3)) == "swapaxes: axis 3 is out of range for int64[1,2,3]");
}

TEST_CASE("transposing scalars and empty tensors moves no elements") {
  test_engine e;
  const auto one = full({}, 3), none = zeros({0, 2, 3});
  CHECK(type_text(one.T()) == "int64[]");
  CHECK(one.T().item<int>() == 3);
  CHECK(transpose(one, {}).item<int>() == 3);
  CHECK(TROUPE_ERROR_OF(transpose(one, {0})) == "transpose: 1 axis named for int64[]");
  CHECK(TROUPE_ERROR_OF(swapaxes(one, 0, 0)) == "swapaxes: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(moveaxis(one, 0, 0)) == "moveaxis: axis 0 is out of range for int64[]");
  CHECK(type_text(none.T()) == "float32[3,2,0]");
  CHECK(type_text(transpose(none, {1, 0, 2})) == "float32[2,0,3]");
  CHECK(type_text(swapaxes(none, 0, 1)) == "float32[2,0,3]");
  CHECK(type_text(moveaxis(none, 0, -1)) == "float32[2,3,0]");
  CHECK(numbers(none.T()).empty());
}

TEST_CASE("axes of size 1 are added and removed without a copy") {
  test_engine e;
  const auto x = ones({1, 2, 1});
  CHECK(type_text(squeeze(x)) == "float32[2]");
  CHECK(type_text(squeeze(x, -1)) == "float32[1,2]");
  CHECK(type_text(expand_dims(x, 1)) == "float32[1,1,2,1]");
  CHECK(type_text(expand_dims(x, -1)) == "float32[1,2,1,1]");
  CHECK(type_text(broadcast_to(x, {3, 2, 4})) == "float32[3,2,4]");
  CHECK(numbers(arange(2).broadcast_to({2, 2})) == list{0, 1, 0, 1});
  CHECK(TROUPE_ERROR_OF(squeeze(x, 1)) == "squeeze: axis 1 of float32[1,2,1] has not size 1");
  CHECK(type_text(squeeze(x, {0, -1})) == "float32[2]");
  CHECK(type_text(squeeze(x, {})) == "float32[1,2,1]");
  CHECK(TROUPE_ERROR_OF(squeeze(x, {0, -3})) == "squeeze: axis 0 of float32[1,2,1] twice");
  CHECK(TROUPE_ERROR_OF(squeeze(x, {0, 1})) == "squeeze: axis 1 of float32[1,2,1] has not size 1");
  CHECK(type_text(expand_dims(ones({2}), {0, -1})) == "float32[1,2,1]");
  CHECK(type_text(expand_dims(ones({2}), {-1, 1})) == "float32[2,1,1]");
  CHECK(TROUPE_ERROR_OF(expand_dims(ones({2}), {0, -3})) ==
        "expand_dims: axis 0 of float32[2] twice");
  CHECK(TROUPE_ERROR_OF(expand_dims(ones({2}), {0, 3})) ==
        "expand_dims: axis 3 is out of range for float32[2]");
  CHECK(TROUPE_ERROR_OF(broadcast_to(x, {3})) ==
        "broadcast_to: float32[1,2,1] does not broadcast to [3]");
  CHECK(TROUPE_ERROR_OF(expand_dims(x, 4)) ==
        "expand_dims: axis 4 is out of range for float32[1,2,1]");
}

TEST_CASE("slices follow Python") {
  test_engine e;
  const auto x = arange(6);
  CHECK(numbers(x[range{1, 4}]) == list{1, 2, 3});
  CHECK(numbers(x[range{.start = -2}]) == list{4, 5});
  CHECK(numbers(x[range{.stop = -4}]) == list{0, 1});
  CHECK(numbers(x[range{.step = 2}]) == list{0, 2, 4});
  CHECK(numbers(x[range{.step = -1}]) == list{5, 4, 3, 2, 1, 0});
  CHECK(numbers(x[range{4, 1, -2}]) == list{4, 2});
  CHECK(numbers(x[range{4, 100}]) == list{4, 5});
  CHECK(numbers(x[range{-100, 2}]) == list{0, 1});
  CHECK(x[range{4, 2}].size() == 0);
  CHECK(x[range{10, 20}].size() == 0);
  CHECK(numbers(x.slice(0, 1, {}, 3)) == list{1, 4});
  CHECK(same_memory(x, x[range{1, 4}]));
  CHECK(numbers(x[range{.step = -1}] + x) == list{5, 5, 5, 5, 5, 5});
  CHECK(numbers(copy(x[range{.step = -2}])) == list{5, 3, 1});
  CHECK(TROUPE_ERROR_OF(x[range{.step = 0}]) == "index: the step is 0");
  CHECK(TROUPE_ERROR_OF(x.slice(1, 0, 1)) == "slice: axis 1 is out of range for int64[6]");
}

TEST_CASE("slices of empty axes are empty, and scalars have no axis to slice") {
  test_engine e;
  const auto one = full({}, 3), none = zeros({0, 2});
  CHECK(type_text(slice(none, 0, 0, 1)) == "float32[0,2]");
  CHECK(type_text(slice(none, 0, {}, {}, -1)) == "float32[0,2]");
  CHECK(type_text(slice(none, 0, -1, {}, 3)) == "float32[0,2]");
  CHECK(type_text(slice(none, 1, 0, 1)) == "float32[0,1]");
  CHECK(numbers(slice(none, 0, {}, {}, -1)).empty());
  CHECK(type_text(one[newaxis]) == "int64[1]");
  CHECK(TROUPE_ERROR_OF(slice(one, 0, 0, 1)) == "slice: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(one[range{}]) == "index: 1 index for int64[]");
  CHECK(TROUPE_ERROR_OF(one[0]) == "index: 1 index for int64[]");
  CHECK(TROUPE_ERROR_OF(none[0]) == "index: 0 is out of range for axis 0 of float32[0,2]");
}

TEST_CASE("indices take elements, ranges and new axes") {
  test_engine e;
  const auto x = arange(24).reshape({2, 3, 4});
  CHECK(type_text(x[0]) == "int64[3,4]");
  CHECK(x(1, 2, 3).item<int>() == 23);
  CHECK(x[-1][-1][-1].item<int>() == 23);
  CHECK(numbers(x(0, every, 1)) == list{1, 5, 9});
  CHECK(numbers(x(every, 0, range{.step = -3})) == list{3, 0, 15, 12});
  CHECK(type_text(x(newaxis, 0, newaxis)) == "int64[1,1,3,4]");
  CHECK(TROUPE_ERROR_OF(x[2]) == "index: 2 is out of range for axis 0 of int64[2,3,4]");
  CHECK(TROUPE_ERROR_OF(x(0, -4)) == "index: -4 is out of range for axis 1 of int64[2,3,4]");
  CHECK(TROUPE_ERROR_OF(x(0, 0, 0, 0)) == "index: 4 indices for int64[2,3,4]");
  CHECK(TROUPE_ERROR_OF(tensor{}[0]) == "index: the input names no array yet");
}

TEST_CASE("array_split makes the first parts longer where they do not come out even") {
  test_engine e;
  const auto parts = array_split(arange(8), 3);
  REQUIRE(parts.size() == 3);
  CHECK(numbers(parts[0]) == list{0, 1, 2});
  CHECK(numbers(parts[1]) == list{3, 4, 5});
  CHECK(numbers(parts[2]) == list{6, 7});
  const auto columns = array_split(arange(6).reshape({2, 3}), 2, -1);
  CHECK(numbers(columns[1]) == list{2, 5});
  CHECK(type_text(array_split(ones({1}), 2)[1]) == "float32[0]");
  CHECK(TROUPE_ERROR_OF(array_split(ones({3}), 0)) == "array_split: 0 parts of float32[3]");
  CHECK(TROUPE_ERROR_OF(array_split(ones({3}), 1 << 21)) ==
        "array_split: 2097152 parts are too many, at most 1048576 are possible");
}

TEST_CASE("split gives parts of the same memory") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  const auto columns = split(x, 3, 1);
  REQUIRE(columns.size() == 3);
  CHECK(numbers(columns[2]) == list{2, 5});
  const auto parts = split(arange(6), {2, 3});
  REQUIRE(parts.size() == 3);
  CHECK(numbers(parts[0]) == list{0, 1});
  CHECK(numbers(parts[1]) == list{2});
  CHECK(numbers(parts[2]) == list{3, 4, 5});
  CHECK(TROUPE_ERROR_OF(split(x, 2, -1)) == "split: axis 1 of int64[2,3] has not 2 equal parts");
}

TEST_CASE("split of an empty axis gives empty parts, and a scalar cannot be split") {
  test_engine e;
  const auto one = full({}, 3), none = zeros({0, 2});
  for (const auto& parts : {split(none, 3), split(none, {1, 5})}) {
    REQUIRE(parts.size() == 3);
    for (const auto& part : parts) CHECK(type_text(part) == "float32[0,2]");
  }
  const auto parts = split(arange(4), {0, 3, 9});
  REQUIRE(parts.size() == 4);
  CHECK(parts[0].size() == 0);
  CHECK(numbers(parts[1]) == list{0, 1, 2});
  CHECK(numbers(parts[2]) == list{3});
  CHECK(parts[3].size() == 0);
  CHECK(TROUPE_ERROR_OF(split(one, 1)) == "split: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(split(one, {1})) == "split: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(split(none, 1'000'000'000)) ==
        "split: 1000000000 parts are too many, at most 1048576 are possible");
  CHECK(TROUPE_ERROR_OF(split(none, 0)) == "split: axis 0 of float32[0,2] has not 0 equal parts");
  CHECK(TROUPE_ERROR_OF(split(arange(4), -1)) ==
        "split: axis 0 of int64[4] has not -1 equal parts");
}

TEST_CASE("flip and rot90 turn axes around without a copy") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(numbers(flip(x)) == list{5, 4, 3, 2, 1, 0});
  CHECK(numbers(flip(x, 0)) == list{3, 4, 5, 0, 1, 2});
  CHECK(numbers(flip(x, {-1})) == list{2, 1, 0, 5, 4, 3});
  CHECK(numbers(flip(x.slice(1, 1, {}), 1)) == list{2, 1, 5, 4});
  CHECK(numbers(flip(flip(x))) == numbers(x));
  CHECK(same_memory(x, flip(x)));
  CHECK(flip(full({}, 3)).item<int>() == 3);
  CHECK(type_text(flip(zeros({0, 2}))) == "float32[0,2]");
  CHECK(numbers(rot90(x)) == list{2, 5, 1, 4, 0, 3});
  CHECK(numbers(rot90(x, -1)) == list{3, 0, 4, 1, 5, 2});
  CHECK(numbers(rot90(x, 2)) == list{5, 4, 3, 2, 1, 0});
  CHECK(numbers(rot90(x, INT64_MIN)) == numbers(x));
  CHECK(numbers(rot90(x, 1, {1, 0})) == numbers(rot90(x, 3)));
  CHECK(type_text(rot90(zeros({2, 3, 4}), 5, {-1, 0})) == "float32[4,3,2]");
  CHECK(same_memory(x, rot90(x)));
  check_gradient([](const tensor& y) { return flip(y, 1) * arange(3); }, distinct({2, 3}));
  check_gradient([](const tensor& y) { return rot90(y) * arange(2); }, distinct({2, 3}));
  CHECK(TROUPE_ERROR_OF(flip(x, 2)) == "flip: axis 2 is out of range for int64[2,3]");
  CHECK(TROUPE_ERROR_OF(flip(x, {0, -2})) == "flip: axis 0 is named twice");
  CHECK(TROUPE_ERROR_OF(flip(tensor{})) == "flip: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(rot90(x, 1, {1, -1})) == "rot90: axis 1 is named twice");
  CHECK(TROUPE_ERROR_OF(rot90(x, 0, {0, 2})) == "rot90: axis 2 is out of range for int64[2,3]");
  CHECK(TROUPE_ERROR_OF(rot90(arange(3))) == "rot90: 2 axes are named for int64[3], which has 1");
  CHECK(TROUPE_ERROR_OF(rot90(tensor{})) == "rot90: the input names no array yet");
}

TEST_CASE("moveaxis moves several axes at once") {
  test_engine e;
  const auto x = zeros({1, 2, 3, 4});
  CHECK(type_text(moveaxis(x, {0, 1}, {-1, 0})) == "float32[2,3,4,1]");
  CHECK(type_text(moveaxis(x, {3, 0}, {0, 3})) == "float32[4,2,3,1]");
  CHECK(type_text(moveaxis(x, {-1}, {1})) == type_text(moveaxis(x, -1, 1)));
  CHECK(type_text(moveaxis(full({}, 1), {}, {})) == "int64[]");
  CHECK(same_memory(x, moveaxis(x, {0, 1}, {1, 0})));
  CHECK(TROUPE_ERROR_OF(moveaxis(x, {0, 1}, {2})) == "moveaxis: 2 axes, but 1 place");
  CHECK(TROUPE_ERROR_OF(moveaxis(x, {0, -4}, {0, 1})) == "moveaxis: axis 0 is named twice");
  CHECK(TROUPE_ERROR_OF(moveaxis(x, {0, 1}, {2, 2})) == "moveaxis: axis 2 is named twice");
  CHECK(TROUPE_ERROR_OF(moveaxis(x, {0}, {4})) ==
        "moveaxis: axis 4 is out of range for float32[1,2,3,4]");
}

TEST_CASE("atleast_1d, 2d and 3d add the axes that are missing") {
  test_engine e;
  const auto one = full({}, 3), line = arange(2), x = arange(6).reshape({2, 3});
  CHECK(type_text(atleast_1d(one)) == "int64[1]");
  CHECK(type_text(atleast_2d(one)) == "int64[1,1]");
  CHECK(type_text(atleast_3d(one)) == "int64[1,1,1]");
  CHECK(type_text(atleast_1d(line)) == "int64[2]");
  CHECK(type_text(atleast_2d(line)) == "int64[1,2]");
  CHECK(type_text(atleast_3d(line)) == "int64[1,2,1]");
  CHECK(type_text(atleast_3d(x)) == "int64[2,3,1]");
  CHECK(type_text(atleast_3d(zeros({0, 1, 2, 3}))) == "float32[0,1,2,3]");
  CHECK(same_memory(x, atleast_3d(x)));
  check_gradient([](const tensor& y) { return atleast_3d(y); }, distinct({2, 2}));
  CHECK(TROUPE_ERROR_OF(atleast_2d(tensor{})) == "atleast_2d: the input names no array yet");
}

TEST_CASE("broadcast_arrays gives views in the shape that all broadcast to") {
  test_engine e;
  const auto x = arange(3), y = zeros({2, 1});
  const auto both = broadcast_arrays({x, y, full({}, true)});
  REQUIRE(both.size() == 3);
  CHECK(type_text(both[0]) == "int64[2,3]");
  CHECK(type_text(both[1]) == "float32[2,3]");
  CHECK(type_text(both[2]) == "bool[2,3]");
  CHECK(same_memory(x, both[0]));
  CHECK(numbers(both[0]) == list{0, 1, 2, 0, 1, 2});
  CHECK(type_text(broadcast_arrays({zeros({0, 1}), x})[1]) == "int64[0,3]");
  CHECK(broadcast_arrays({}).empty());
  check_gradient(
      [](const tensor& v) {
        return broadcast_arrays({v, zeros({2, 1})})[0] * 2.0;
      },
      distinct({3}));
  CHECK(TROUPE_ERROR_OF(broadcast_arrays({x, arange(2)})) ==
        "broadcast_arrays: shapes do not broadcast: int64[3] and int64[2]");
  CHECK(TROUPE_ERROR_OF(broadcast_arrays({x, tensor{}})) ==
        "broadcast_arrays: the input names no array yet");
}

TEST_CASE("unstack gives the parts at each position, without the axis") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  const auto columns = unstack(x, -1);
  REQUIRE(columns.size() == 3);
  CHECK(type_text(columns[0]) == "int64[2]");
  CHECK(numbers(columns[2]) == list{2, 5});
  CHECK(same_memory(x, columns[1]));
  CHECK(unstack(arange(3))[1].item<int>() == 1);
  CHECK(unstack(zeros({0, 2})).empty());
  CHECK(type_text(unstack(zeros({0, 2}), 1)[1]) == "float32[0]");
  check_gradient([](const tensor& y) { return unstack(y)[1]; }, distinct({2, 3}));
  CHECK(TROUPE_ERROR_OF(unstack(x, 2)) == "unstack: axis 2 is out of range for int64[2,3]");
  CHECK(TROUPE_ERROR_OF(unstack(full({}, 3))) == "unstack: axis 0 is out of range for int64[]");
  CHECK(TROUPE_ERROR_OF(unstack(zeros({0, 1'000'000'000}), 1)) ==
        "unstack: 1000000000 parts are too many, at most 1048576 are possible");
  CHECK(TROUPE_ERROR_OF(unstack(tensor{})) == "unstack: the input names no array yet");
}

namespace {

using strides = std::vector<std::int64_t>;

/// Views of eight or twelve elements: apart, overlapping, repeated, backwards, none, and views of
/// them.
std::vector<tensor> strided_views(const tensor& x) {
  return {as_strided(x, {2, 3}, strides{4, 1}, 1),
          as_strided(x, {5, 3}, strides{1, 1}),
          as_strided(x, {2, 2, 2}, strides{3, 2, 1}, 1),
          as_strided(x, {3, 2}, strides{0, 2}, 1),
          as_strided(x, {3, 3}, strides{-1, -2}, 7),
          as_strided(x, {2, 0}, strides{1, 1}),
          as_strided(x, {}, strides{}, 5),
          as_strided(x, {8}, strides{1}),
          as_strided(x, {4, 4}, strides{1, 1})(range{1, {}, 2}, every).T(),
          as_strided(x, {3, 4}, strides{2, 1}).reshape({2, 6}),
          as_strided(as_strided(x, {4, 4}, strides{1, 1}), {3, 5}, strides{3, 2})};
}

tensor sum_of_views(const tensor& x) {
  tensor total;
  for (double weight = 1; const auto& one : strided_views(x)) {
    const auto part = sum(sin(one * weight) * one);
    total = total.defined() ? total + part : part;
    weight += 0.25;
  }
  return total;
}

}  // namespace

TEST_CASE("the gradient of a strided view is the sum over the places of each element") {
  test_engine e;
  const auto windows = [](const tensor& x) { return sum(as_strided(x, {3, 2}, strides{1, 1})); };
  CHECK(numbers(grad(windows)(ones({5}))) == list{1, 2, 2, 1, 0});
  const auto all = [](const tensor& x) { return sum_of_views(x); };
  const auto slopes = [&](const tensor& x) { return grad(all)(x); };
  for (const auto& x : {distinct({8}), distinct({2, 4}).T(), distinct({3, 4}),
                        distinct({2, 9})(every, range{1, {}, 2})}) {
    check_gradient(all, x);
    check_gradient(slopes, x);
    constexpr double step = 1e-5;
    const auto change = jvp(all, x, ones(x.shape(), float64)).second.item<double>();
    const auto moved = [&](double by) { return all(x + by).item<double>(); };
    CHECK(near(change, (moved(step) - moved(-step)) / (2 * step), 1e-6));
  }
}

TEST_CASE("strided views of complex and narrow floats have gradients") {
  test_engine e;
  const auto windows = [](const tensor& x) { return as_strided(x, {3, 2}, strides{1, 1}); };
  const auto z = vjp(windows, ones({4}, complex128), full({3, 2}, 2.0, complex128)).second;
  CHECK(numbers(real(z)) == list{2, 4, 4, 2});
  const auto h = vjp(windows, ones({4}, float16), ones({3, 2}, float16)).second;
  CHECK(type_text(h) == "float16[4]");
  CHECK(numbers(h) == list{1, 2, 2, 1});
}

TEST_CASE("strided views have gradients in functions that are compiled or mapped") {
  test_engine e;
  const auto f = [](const tensor& x) { return sum_of_views(x); };
  const auto x = distinct({8});
  const auto expected = numbers(grad(f)(x));
  CHECK(numbers(compile([&](const tensor& y) { return grad(f)(y); })(x)) == expected);
  const auto each = vmap([&](const tensor& y) { return grad(f)(y); })(stack({x, x}));
  CHECK(numbers(each[0]) == expected);
  CHECK(numbers(each[1]) == expected);
}

}  // namespace troupe::testing
