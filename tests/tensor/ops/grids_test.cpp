// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/grids.hpp"

#include <complex>

#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("meshgrid gives views of the coordinates along each axis") {
  test_engine e;
  const tensor x = {1, 2, 3}, y = {0.5, 1.5};
  const auto xy = meshgrid({x, y}), ij = meshgrid({x, y}, "ij");
  REQUIRE(xy.size() == 2);
  CHECK(type_text(xy[0]) == "int64[2,3]");
  CHECK(type_text(xy[1]) == "float64[2,3]");
  CHECK(xy[0].source() == x.source());
  CHECK(numbers(xy[0]) == list{1, 2, 3, 1, 2, 3});
  CHECK(numbers(xy[1]) == list{0.5, 0.5, 0.5, 1.5, 1.5, 1.5});
  CHECK(type_text(ij[0]) == "int64[3,2]");
  CHECK(numbers(ij[0]) == list{1, 1, 2, 2, 3, 3});
  CHECK(type_text(meshgrid({x, y, arange(4)})[2]) == "int64[2,3,4]");
  CHECK(type_text(meshgrid({x})[0]) == "int64[3]");
  CHECK(type_text(meshgrid({x, full({}, 1)})[0]) == "int64[1,3]");
  CHECK(type_text(meshgrid({x, zeros({0})})[0]) == "int64[0,3]");
  CHECK(meshgrid({}).empty());
  check_gradient([](const tensor& v) { return meshgrid({v, arange(2)})[0] * 2.0; }, distinct({3}));
}

TEST_CASE("meshgrid refuses matrices, another indexing and grids that are too large") {
  test_engine e;
  const auto x = arange(3), wide = broadcast_to(full({}, 1), {std::int64_t{1} << 40});
  CHECK(TROUPE_ERROR_OF(meshgrid({x, zeros({1, 2})})) ==
        "meshgrid: coordinates are vectors, not float32[1,2]");
  CHECK(TROUPE_ERROR_OF(meshgrid({x}, "yx")) == "meshgrid: the indexing is xy or ij, not yx");
  CHECK(TROUPE_ERROR_OF(meshgrid({x, x, x, x, x, x, x, x, x})) ==
        "meshgrid: 9 coordinates; at most 8 axes are possible");
  CHECK(TROUPE_ERROR_OF(meshgrid({wide, wide})) ==
        "meshgrid: more elements than can be counted: int64[1099511627776] and "
        "int64[1099511627776]");
  CHECK(TROUPE_ERROR_OF(meshgrid({x, tensor{}})) == "meshgrid: the input names no array yet");
}

TEST_CASE("one_hot has 1 at each label, and 0 everywhere for labels out of range") {
  test_engine e;
  CHECK(numbers(one_hot(tensor{1, 0}, 3)) == list{0, 1, 0, 1, 0, 0});
  CHECK(type_text(one_hot(tensor{1, 0}, 3)) == "float32[2,3]");
  CHECK(type_text(one_hot(zeros({2, 0}, int32), 3, boolean)) == "bool[2,0,3]");
  CHECK(numbers(one_hot(tensor{-1, 2}, 2, int64)) == list{0, 0, 0, 0});
  CHECK(numbers(one_hot(full({}, 1), 2)) == list{0, 1});
  CHECK(type_text(one_hot(tensor{1}, 0)) == "float32[1,0]");
  CHECK(TROUPE_ERROR_OF(one_hot(zeros({2}), 3)) ==
        "one_hot: the labels are no integers: float32[2]");
  CHECK(TROUPE_ERROR_OF(one_hot(tensor{1}, -1)) == "one_hot: negative classes -1");
  CHECK(TROUPE_ERROR_OF(one_hot(zeros({1, 1, 1, 1, 1, 1, 1, 1}, int64), 2)) ==
        "one_hot: int64[1,1,1,1,1,1,1,1] has as many axes as are possible");
  CHECK(TROUPE_ERROR_OF(one_hot(tensor{1, 2}, INT64_MAX)) ==
        "one_hot: 9223372036854775807 classes for int64[2] are more than can be counted");
  CHECK(TROUPE_ERROR_OF(one_hot(tensor{}, 1)) == "one_hot: the input names no array yet");
}

TEST_CASE("vander has the powers of each element") {
  test_engine e;
  CHECK(numbers(vander({2, 3})) == list{2, 1, 3, 1});
  CHECK(numbers(vander({2, 3}, 3)) == list{4, 2, 1, 9, 3, 1});
  CHECK(numbers(vander({2, 3}, 3, true)) == list{1, 2, 4, 1, 3, 9});
  CHECK(numbers(vander({0., -2.}, 4)) == list{0, 0, 0, 1, -8, 4, -2, 1});
  using number = std::complex<double>;
  const auto squares = vander(complex(tensor{1., 0.}, tensor{1., 0.}), 3);
  CHECK(squares.to_vector<number>() == std::vector<number>{{0, 2}, {1, 1}, 1, 0, 0, 1});
  CHECK(vander(complex(tensor{1.}, tensor{1.}), 0).shape() == shape{1, 0});
  CHECK(type_text(vander(tensor{true, false})) == "int64[2,2]");
  CHECK(type_text(vander(zeros({2}, int32), 0)) == "int64[2,0]");
  CHECK(type_text(vander(zeros({2}))) == "float64[2,2]");
  CHECK(type_text(vander(zeros({0}), 3)) == "float64[0,3]");
  check_gradient([](const tensor& x) { return vander(x, 4); }, tensor{0.5, 0., -1.5});
  CHECK(TROUPE_ERROR_OF(vander(zeros({2, 2}))) == "vander: not a vector: float32[2,2]");
  CHECK(TROUPE_ERROR_OF(vander(zeros({2}), -1)) == "vander: negative columns -1");
  CHECK(TROUPE_ERROR_OF(vander(zeros({2}), INT64_MAX)) ==
        "vander: 9223372036854775807 columns for float32[2] are more than can be counted");
  CHECK(TROUPE_ERROR_OF(vander(tensor{})) == "vander: the input names no array yet");
}

}  // namespace troupe::testing
