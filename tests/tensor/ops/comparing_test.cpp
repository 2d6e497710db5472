// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/comparing.hpp"

#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("isclose takes numbers as equal that are near each other") {
  test_engine e;
  const tensor x = {1., 1.00001, 100., INFINITY, -INFINITY, 1., INFINITY, NAN};
  const tensor y = {1., 1., 100.1, INFINITY, INFINITY, INFINITY, 1., NAN};
  CHECK(numbers(isclose(x, y)) == list{1, 1, 0, 1, 0, 0, 0, 0});
  CHECK(numbers(isclose(x, y, 0, 1e-3)) == list{1, 1, 0, 1, 0, 0, 0, 0});
  CHECK(numbers(isclose(x, y, 1e-2)) == list{1, 1, 1, 1, 0, 0, 0, 0});
  CHECK(numbers(isclose(x, y, 0, 0, true)) == list{1, 0, 0, 1, 0, 0, 0, 1});
  CHECK(type_text(isclose(ones({2, 1}), ones({3}, int32))) == "bool[2,3]");
  CHECK(numbers(isclose(tensor{1000000, 5}, tensor{1000001, 6})) == list{1, 0});
  CHECK(numbers(isclose(tensor{true, false}, tensor{true, true})) == list{1, 0});
  CHECK(TROUPE_ERROR_OF(isclose(zeros({2}), zeros({3}))) ==
        "isclose: shapes do not broadcast: float32[2] and float32[3]");
  CHECK(TROUPE_ERROR_OF(isclose(zeros({2}), tensor{})) == "isclose: input 1 names no array yet");
}

TEST_CASE("allclose and array_equal compare whole tensors") {
  test_engine e;
  const auto truth = [](const tensor& x) { return x.item<int>() != 0; };
  const tensor x = {1., NAN};
  CHECK(truth(allclose(ones({2, 2}), ones({2}))));
  CHECK(truth(allclose(zeros({0}), ones({0}))));
  CHECK_FALSE(truth(allclose(x, x)));
  CHECK(truth(allclose(x, x, 1e-5, 1e-8, true)));
  CHECK_FALSE(truth(array_equal(x, x)));
  CHECK(truth(array_equal(x, x, true)));
  CHECK(truth(array_equal(ones({2}), ones({2}, int32))));
  CHECK_FALSE(truth(array_equal(ones({2, 2}), ones({2}))));
  CHECK_FALSE(truth(array_equal(zeros({2}), ones({2}))));
  CHECK(truth(array_equal(full({}, 1), full({}, 1))));
  CHECK(type_text(array_equal(zeros({0}), ones({1}))) == "bool[]");
  CHECK(TROUPE_ERROR_OF(allclose(zeros({2}), zeros({3}))) ==
        "allclose: shapes do not broadcast: float32[2] and float32[3]");
  CHECK(TROUPE_ERROR_OF(array_equal(zeros({1}), zeros({1}, {.device = cpu(1)}))) ==
        "array_equal: inputs on different devices: float32[1] on cpu:0 and float32[1] on cpu:1");
  CHECK(TROUPE_ERROR_OF(array_equal(tensor{}, x)) == "array_equal: input 0 names no array yet");
}

}  // namespace troupe::testing
