// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/products.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("outer multiplies each element of one by each of the other") {
  test_engine e;
  CHECK(numbers(outer({1, 2}, {3, 4, 5})) == list{3, 4, 5, 6, 8, 10});
  CHECK(type_text(outer(ones({2, 2}), ones({3}, int32))) == "float64[4,3]");
  CHECK(type_text(outer(full({}, true), tensor{true})) == "bool[1,1]");
  CHECK(type_text(outer(zeros({0}), zeros({2}))) == "float32[0,2]");
  check_gradient([](const tensor& x) { return outer(x, x); }, distinct({3}));
  const auto wide = broadcast_to(full({}, 1), {std::int64_t{1} << 40});
  CHECK(TROUPE_ERROR_OF(outer(wide, wide)) ==
        "outer: more elements than can be counted: int64[1099511627776] and int64[1099511627776]");
  CHECK(TROUPE_ERROR_OF(outer(tensor{}, wide)) == "outer: input 0 names no array yet");
}

TEST_CASE("inner adds up products along the last axes") {
  test_engine e;
  CHECK(inner(tensor{1, 2}, tensor{3, 4}).item<int>() == 11);
  const auto x = arange(6).reshape({2, 3});
  CHECK(numbers(inner(x, x)) == list{5, 14, 14, 50});
  CHECK(numbers(inner(x, full({}, 2))) == list{0, 2, 4, 6, 8, 10});
  CHECK(type_text(inner(ones({4, 1, 3}), ones({2, 3}, float64))) == "float64[4,1,2]");
  CHECK(type_text(inner(zeros({2, 0}), zeros({3, 0}))) == "float32[2,3]");
  CHECK(type_text(inner(tensor{true, false}, tensor{true, true})) == "bool[]");
  check_gradient([](const tensor& y) { return inner(y, y + 1.0); }, distinct({2, 3}));
  CHECK(TROUPE_ERROR_OF(inner(x, zeros({2}))) ==
        "inner: sizes of joined axes differ: int64[2,3] and float32[2]");
  CHECK(TROUPE_ERROR_OF(inner(ones({1, 1, 1, 1, 1, 1}), ones({1, 1, 1, 1, 1}))) ==
        "inner: too many axes come out: float32[1,1,1,1,1,1] and float32[1,1,1,1,1]");
  CHECK(TROUPE_ERROR_OF(inner(x, tensor{})) == "inner: input 1 names no array yet");
}

TEST_CASE("vecdot adds up products along an axis and broadcasts the others") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(vecdot(tensor{1, 2}, tensor{3, 4}).item<int>() == 11);
  CHECK(numbers(vecdot(x, x)) == list{5, 50});
  CHECK(numbers(vecdot(x, x, 0)) == list{9, 17, 29});
  CHECK(numbers(vecdot(x, tensor{1, 0, 1})) == list{2, 8});
  CHECK(type_text(vecdot(x.astype(int32), x.astype(int32))) == "int32[2]");
  CHECK(type_text(vecdot(x > 1, x > 1)) == "bool[2]");
  CHECK(type_text(vecdot(zeros({4, 1, 0}), zeros({3, 0}))) == "float32[4,3]");
  check_gradient([](const tensor& y) { return vecdot(y, y * 2.0, -2); }, distinct({2, 3}));
  CHECK(TROUPE_ERROR_OF(vecdot(x, zeros({2}))) ==
        "vecdot: sizes of joined axes differ: int64[2,3] and float32[2]");
  CHECK(TROUPE_ERROR_OF(vecdot(x, zeros({3, 3}))) ==
        "vecdot: shapes do not broadcast: int64[2,3] and float32[3,3]");
  CHECK(TROUPE_ERROR_OF(vecdot(x, tensor{1}, 1)) == "vecdot: axis 1 is out of range for int64[1]");
  CHECK(TROUPE_ERROR_OF(vecdot(full({}, 1), x)) == "vecdot: axis -1 is out of range for int64[]");
}

TEST_CASE("tensordot joins so many axes, or those named") {
  test_engine e;
  const auto x = arange(24).reshape({2, 3, 4}), y = arange(12).reshape({3, 4});
  CHECK(numbers(tensordot(x, y)) == list{506, 1298});
  CHECK(numbers(tensordot(x, y.T(), {1, 2}, {1, 0})) == list{506, 1298});
  CHECK(numbers(tensordot(x, y, {-1, -2}, {-1, 0})) == list{506, 1298});
  CHECK(type_text(tensordot(x, y, 0)) == "int64[2,3,4,3,4]");
  CHECK(type_text(tensordot(x, y.T(), 1)) == "int64[2,3,3]");
  CHECK(type_text(tensordot(x, y, {2}, {1})) == "int64[2,3,3]");
  CHECK(type_text(tensordot(zeros({2, 0}), zeros({0, 3}), 1)) == "float32[2,3]");
  CHECK(tensordot(full({}, 2), full({}, 3), 0).item<int>() == 6);
  check_gradient([](const tensor& m) { return tensordot(m, m, {0}, {0}); }, distinct({2, 3}));
}

TEST_CASE("tensordot refuses axes that do not fit") {
  test_engine e;
  const auto x = zeros({2, 3}), y = zeros({4, 3}, int64);
  CHECK(TROUPE_ERROR_OF(tensordot(x, y, 1)) ==
        "tensordot: sizes of joined axes differ: float32[2,3] and int64[4,3]");
  CHECK(TROUPE_ERROR_OF(tensordot(x, y, 3)) ==
        "tensordot: there are not 3 axes to join: float32[2,3] and int64[4,3]");
  CHECK(TROUPE_ERROR_OF(tensordot(x, y, -1)) == "tensordot: negative count -1");
  CHECK(TROUPE_ERROR_OF(tensordot(x, y, {0, 1}, {1})) ==
        "tensordot: 2 axes are to be joined with 1");
  CHECK(TROUPE_ERROR_OF(tensordot(x, y, {0}, {0, 1})) ==
        "tensordot: 1 axis is to be joined with 2");
  CHECK(TROUPE_ERROR_OF(tensordot(x, x, {0, 0}, {0, 1})) == "tensordot: axis 0 is named twice");
  CHECK(TROUPE_ERROR_OF(tensordot(x, y, {1}, {2})) ==
        "tensordot: axis 2 is out of range for int64[4,3]");
  CHECK(TROUPE_ERROR_OF(tensordot(zeros({1, 1, 1, 1, 1}), zeros({1, 1, 1, 1}), 0)) ==
        "tensordot: too many axes come out: float32[1,1,1,1,1] and float32[1,1,1,1]");
  CHECK(TROUPE_ERROR_OF(tensordot(x, zeros({2}, {.device = cpu(1)}))) ==
        "tensordot: inputs on different devices: float32[2,3] on cpu:0 and float32[2] on cpu:1");
}

TEST_CASE("kron puts all of one in place of each element of the other") {
  test_engine e;
  const tensor x = {{1, 2}, {3, 4}}, y = {{0, 1}};
  CHECK(numbers(kron(x, y)) == list{0, 1, 0, 2, 0, 3, 0, 4});
  CHECK(type_text(kron(x, y)) == "int64[2,4]");
  CHECK(numbers(kron(tensor{1, 10}, x)) == list{1, 2, 10, 20, 3, 4, 30, 40});
  CHECK(numbers(kron(full({}, 2), tensor{1, 2})) == list{2, 4});
  CHECK(type_text(kron(zeros({0, 2}), x)) == "float64[0,4]");
  CHECK(type_text(kron(ones({2, 1, 1, 1, 3}), ones({2}))) == "float32[2,1,1,1,6]");
  const auto a = arange(6).reshape({1, 1, 2, 1, 3}), b = arange(2).reshape({2, 1, 1, 1, 1});
  CHECK(numbers(kron(a, b)) == list{0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5});
  check_gradient([](const tensor& m) { return kron(m, m); }, distinct({2, 2}));
  const auto wide = broadcast_to(full({}, 1), {std::int64_t{1} << 40});
  CHECK(TROUPE_ERROR_OF(kron(wide, wide)) ==
        "kron: more elements than can be counted: int64[1099511627776] and int64[1099511627776]");
  CHECK(TROUPE_ERROR_OF(kron(tensor{}, x)) == "kron: input 0 names no array yet");
}

TEST_CASE("cross is the vector product of vectors with three elements") {
  test_engine e;
  const tensor x = {1, 2, 3}, y = {4, 5, 7};
  CHECK(numbers(cross(x, y)) == list{-1, 5, -3});
  CHECK(type_text(cross(ones({4, 3}), x)) == "float64[4,3]");
  CHECK(numbers(cross(stack({x, y}, 1), stack({y, x}, 1), 0)) == list{-1, 1, 5, -5, -3, 3});
  CHECK(type_text(cross(ones({3, 1}, int32), ones({3, 2}, int32), -2)) == "int32[3,2]");
  CHECK(type_text(cross(zeros({0, 3}), zeros({3}))) == "float32[0,3]");
  check_gradient([](const tensor& v) { return cross(v, v * v + 1.0); }, distinct({2, 3}));
  CHECK(TROUPE_ERROR_OF(cross(x, tensor{1, 2})) ==
        "cross: the axis has not size 3: int64[3] and int64[2]");
  CHECK(TROUPE_ERROR_OF(cross(x > 1, y > 1)) ==
        "cross: not possible for bool: bool[3] and bool[3]");
  CHECK(TROUPE_ERROR_OF(cross(zeros({2, 3}), zeros({4, 3}))) ==
        "cross: shapes do not broadcast: float32[2,3] and float32[4,3]");
  CHECK(TROUPE_ERROR_OF(cross(x, y, 1)) == "cross: axis 1 is out of range for int64[3]");
  CHECK(TROUPE_ERROR_OF(cross(x, tensor{})) == "cross: input 1 names no array yet");
}

}  // namespace troupe::testing
