// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/resize.hpp"

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

// The wanted numbers are those of PyTorch's interpolate.
TEST_CASE("images change their size as PyTorch's do") {
  test_engine e;
  const tensor x = {{1., 2.}, {3., 4.}};
  CHECK(numbers(resize2d(x, 4, "nearest")) == list{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4});
  CHECK(numbers(resize2d(x, 4)) ==
        list{1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4});
  CHECK(numbers(resize2d(x, {1, 2})) == list{2, 3});
  const tensor row = {{0., 1., 2., 3., 4.}};
  CHECK(numbers(resize2d(row, {1, 2}, "nearest")) == list{0, 2});
  CHECK(numbers(resize2d(row, {1, 2})) == list{0.75, 3.25});
  CHECK(numbers(resize2d(row, {2, 5})) == list{0, 1, 2, 3, 4, 0, 1, 2, 3, 4});
  CHECK(type_text(resize2d(ones({2, 3, 8, 9}), {4, 18})) == "float32[2,3,4,18]");
  CHECK(type_text(resize2d(ones({8, 9}, uint8), 3)) == "float64[3,3]");
  CHECK(type_text(resize2d(ones({8, 9}, uint8), 3, "nearest")) == "uint8[3,3]");
  CHECK(type_text(resize2d(ones({8, 9}, float16), 3)) == "float16[3,3]");
  const auto slope = grad([](const tensor& v) { return sum(resize2d(v, 4)); });
  CHECK(numbers(slope(x)) == list{4, 4, 4, 4});
}

TEST_CASE("sizes and modes that images cannot have are refused") {
  test_engine e;
  CHECK(type_text(resize2d(ones({0, 3, 4, 4}), 8)) == "float32[0,3,8,8]");
  CHECK(TROUPE_ERROR_OF(resize2d(ones({2, 2}), {1'000'000'000'000, 1}).wait()) ==
        "arange: out of memory: 7.3 TiB cannot be had on cpu:0");
  CHECK(TROUPE_ERROR_OF(resize2d(ones({3}), 2)) ==
        "resize2d: no images [..., height, width]: float32[3]");
  CHECK(TROUPE_ERROR_OF(resize2d(ones({3, 0}), 2)) ==
        "resize2d: no images [..., height, width]: float32[3,0]");
  CHECK(TROUPE_ERROR_OF(resize2d(ones({3, 3}), {2, 0})) == "resize2d: a size of 2 x 0");
  CHECK(TROUPE_ERROR_OF(resize2d(ones({3, 3}), 2, "cubic")) ==
        "resize2d: the mode is \"nearest\" or \"bilinear\", not \"cubic\"");
}

}  // namespace troupe::testing
