// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/scatter.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("concatenate and stack join tensors and promote them") {
  test_engine e;
  const tensor a = {{1, 2}, {3, 4}}, b = {{5., 6.}};
  CHECK(numbers(concatenate({a, b})) == list{1, 2, 3, 4, 5, 6});
  CHECK(concatenate({a, b}).dtype() == float64);
  CHECK(numbers(concatenate({a, a.T()}, -1)) == list{1, 2, 1, 3, 3, 4, 2, 4});
  CHECK(type_text(concatenate({a, zeros({0, 2}, int64)})) == "int64[2,2]");
  CHECK(type_text(stack({a, a})) == "int64[2,2,2]");
  CHECK(numbers(stack({tensor{1, 2}, tensor{3, 4}}, -1)) == list{1, 3, 2, 4});
  CHECK(TROUPE_ERROR_OF(concatenate({})) == "concatenate: no tensors to join");
  CHECK(TROUPE_ERROR_OF(concatenate({a, b}, 1)) ==
        "concatenate: shapes differ beside axis 1: int64[2,2] and float64[1,2]");
  CHECK(TROUPE_ERROR_OF(concatenate({a, b}, 2)) ==
        "concatenate: axis 2 is out of range for int64[2,2]");
  CHECK(TROUPE_ERROR_OF(concatenate({zeros({})})) ==
        "concatenate: axis 0 is out of range for float32[]");
  CHECK(TROUPE_ERROR_OF(stack({a, b})) == "stack: shapes differ: int64[2,2] and float64[1,2]");
}

TEST_CASE("take selects positions along an axis or among all") {
  test_engine e;
  const auto x = arange(12).reshape({3, 4});
  CHECK(numbers(take(x, tensor{11, -12})) == list{11, 0});
  CHECK(numbers(take(x, tensor{2, 0}, 0)) == list{8, 9, 10, 11, 0, 1, 2, 3});
  CHECK(numbers(take(x, tensor{-1}, 1)) == list{3, 7, 11});
  CHECK(type_text(take(x, tensor{{0, 1}, {2, 0}}, 0)) == "int64[2,2,4]");
  CHECK(type_text(take(x, full({}, 1), 0)) == "int64[4]");
  CHECK(TROUPE_ERROR_OF(take(x, zeros({2}))) ==
        "take: the indices are no integers: int64[12] and float32[2]");
  CHECK(TROUPE_ERROR_OF(take(x, tensor{0}, 2)) == "take: axis 2 is out of range for int64[3,4]");
  CHECK(TROUPE_ERROR_OF(take(zeros({0}), tensor{0})) ==
        "take: no elements to choose from: float32[0] and int64[1]");
}

TEST_CASE("take_along_axis selects by position, and broadcasts along the other axes") {
  test_engine e;
  const auto x = arange(12).reshape({3, 4});
  CHECK(numbers(take_along_axis(x, {{3, 0}, {-1, 1}, {2, 2}}, 1)) == list{3, 0, 7, 5, 10, 10});
  CHECK(numbers(take_along_axis(x, tensor{{2, 0, 1, -1}}, 0)) == list{8, 1, 6, 11});
  CHECK(numbers(take_along_axis(x, tensor{{0}, {1}}, 0)) == list{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(numbers(take_along_axis(x.T(), argmax(x.T(), 0, keepdims), 0)) == list{3, 7, 11});
  CHECK(TROUPE_ERROR_OF(take_along_axis(x, tensor{1, 2}, 1)) ==
        "take_along_axis: not as many axes: int64[3,4] and int64[2]");
  CHECK(TROUPE_ERROR_OF(take_along_axis(x, zeros({3, 1}), 1)) ==
        "take_along_axis: the indices are no integers: int64[3,4] and float32[3,1]");
  CHECK(TROUPE_ERROR_OF(take_along_axis(x, zeros({2, 1}, int64), 1)) ==
        "take_along_axis: shapes do not broadcast: int64[3,4] and int64[2,1]");
  CHECK(TROUPE_ERROR_OF(take_along_axis(x, zeros({3, 1}, int64), 2)) ==
        "take_along_axis: axis 2 is out of range for int64[3,4]");
  CHECK(TROUPE_ERROR_OF(take_along_axis(zeros({3, 0}), zeros({3, 1}, int64), 1)) ==
        "take_along_axis: no elements to choose from: float32[3,0] and int64[3,1]");
  CHECK_THROWS_WITH(take_along_axis(x, tensor{{4}, {0}, {0}}, 1).wait(),
                    Catch::Contains("index 4 is out of bounds for axis 1 with size 4"));
}

TEST_CASE("take_labels selects one element for each label, and negative labels are invalid") {
  test_engine e;
  const auto x = arange(12).reshape({3, 4});
  CHECK(numbers(take_labels(x, {1, 3, 0})) == list{1, 7, 8});
  CHECK(numbers(take_labels(x, {1, 2, 0, 1}, 0)) == list{4, 9, 2, 7});
  for (const int label : {-1, 4})
    CHECK_THROWS_WITH(take_labels(x, {0, label, 0}).wait(),
                      Catch::Contains("label " + std::to_string(label) +
                                      " is none of the 4 classes, which count from 0"));
  CHECK(TROUPE_ERROR_OF(take_labels(x, {1, 3})) ==
        "take_labels: not a label for each place: int64[3,4] and int64[2]");
  CHECK(TROUPE_ERROR_OF(take_labels(x, tensor{{1, 3, 0}})) ==
        "take_labels: not a label for each place: int64[3,4] and int64[1,3]");
  CHECK(TROUPE_ERROR_OF(take_labels(x, zeros({3}))) ==
        "take_labels: the indices are no integers: int64[3,4] and float32[3,1]");
}

TEST_CASE("add_along_axis sums elements that go to the same position") {
  test_engine e;
  const tensor x = {{1., 2., 3.}, {4., 5., 6.}};
  CHECK(numbers(add_along_axis(x, {{0, 1, 0}, {-1, 2, 1}}, 1, 4)) == list{4, 2, 0, 0, 0, 6, 5, 4});
  CHECK(numbers(add_along_axis(x, {{0, 1, 0}, {0, 0, 0}}, 0, 2)) == list{5, 5, 9, 0, 2, 0});
  CHECK(TROUPE_ERROR_OF(add_along_axis(x, zeros({2, 1}, int64), 1, 4)) ==
        "add_along_axis: not an index for each element: float64[2,3] and int64[2,1]");
  CHECK(TROUPE_ERROR_OF(add_along_axis(x, zeros({2, 3}, int64), 1, -1)) ==
        "add_along_axis: a negative length -1");
}

TEST_CASE("take, concatenate and stack refuse inputs on different devices") {
  test_engine e;
  const auto here = zeros({2}), there = zeros({2}, {.device = cpu(1)});
  const auto indices = zeros({2}, {.dtype = int64, .device = cpu(1)});
  const std::string both = "inputs on different devices: float32[2] on cpu:0 and ";
  CHECK(TROUPE_ERROR_OF(take(here, indices)) == "take: " + both + "int64[2] on cpu:1");
  CHECK(TROUPE_ERROR_OF(take(here, indices, 0)) == "take: " + both + "int64[2] on cpu:1");
  CHECK(TROUPE_ERROR_OF(concatenate({here, here, there})) ==
        "concatenate: " + both + "float32[2] on cpu:1");
  CHECK(TROUPE_ERROR_OF(stack({here, there})) == "stack: " + both + "float32[2] on cpu:1");
}

TEST_CASE("an index out of bounds fails the result, and reading it names the index and the line") {
  test_engine e;
  const auto y = take(arange(3), tensor{5});
  CHECK(y.failed());
  try {
    y.wait();
    FAIL("nothing was thrown");
  } catch (const task_error& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("take: ") && Catch::Contains("5") &&
                                 Catch::Contains("indexing_test.cpp:"));
  }
}

TEST_CASE("astype converts, and leaves a tensor that has the dtype unchanged") {
  test_engine e;
  const tensor x = {1.9, -1.9, 0.};
  CHECK(numbers(x.astype(int32)) == list{1, -1, 0});
  CHECK(numbers(x.astype(boolean)) == list{1, 1, 0});
  CHECK(x.astype(float64).source() == x.source());
  CHECK(TROUPE_ERROR_OF(tensor{}.astype(int32)) == "astype: the input names no array yet");
}

TEST_CASE("a tensor moves to another device and back") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  const auto y = x.T().to(cpu(1));
  CHECK(y.device() == cpu(1));
  CHECK(numbers(y) == list{0, 3, 1, 4, 2, 5});
  CHECK(numbers(to(y + 1, cpu(0)) + x.T()) == list{1, 7, 3, 9, 5, 11});
  CHECK(to(x, cpu(0)).source() == x.source());
  CHECK(type_text(to(zeros({0, 2}), cpu(1))) == "float32[0,2]");
  const auto last = to(x(1, 2), cpu(1));
  CHECK(last.device() == cpu(1));
  CHECK(type_text(last) == "int64[]");
  CHECK(last.item<int>() == 5);
  CHECK(to(full({}, true), cpu(1)).item<bool>());
  CHECK(TROUPE_ERROR_OF(to(x, gpu(3))) ==
        "to: there is no device gpu:3; this runtime has cpu:0, cpu:1");
}

TEST_CASE("a copy has its own memory") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  const auto y = copy(x.T());
  CHECK(y.source() != x.source());
  CHECK(numbers(y) == list{0, 3, 1, 4, 2, 5});
  CHECK(contiguous(x).source() == x.source());
  CHECK(contiguous(x.T()).source() != x.source());
}

}  // namespace troupe::testing
