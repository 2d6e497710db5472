// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/matmul.hpp"

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

/// Computes the product of [..., m, k] and [..., k, n], by definition.
tensor slow_matmul(const tensor& a, const tensor& b) {
  return (a.expand_dims(-1) * b.expand_dims(-3)).sum(-2);
}

void check_close(const tensor& found, const tensor& wanted) {
  REQUIRE(found.shape() == wanted.shape());
  const auto a = numbers(found), b = numbers(wanted);
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i, a[i], b[i]);
    REQUIRE(near(a[i], b[i], 1e-5, 10));
  }
}

}  // namespace

TEST_CASE("matmul multiplies matrices, batches and views of both dtypes") {
  test_engine e;
  for (const auto element : {float32, float64}) {
    const auto a = normal({4, 5, 7}, element), b = normal({4, 7, 3}, element);
    check_close(matmul(a, b), slow_matmul(a, b));
    check_close(matmul(a[0], b[0]), slow_matmul(a[0], b[0]));
    check_close(matmul(a, b[1]), slow_matmul(a, b[1]));
    check_close(matmul(b[0].T(), a[0].T()), slow_matmul(b[0].T(), a[0].T()));
    check_close(matmul(a(0, range{.step = 2}, range{.step = -1}), b[0]),
                slow_matmul(a(0, range{.step = 2}, range{.step = -1}), b[0]));
    check_close(matmul(a.expand_dims(0), b.expand_dims(1)),
                slow_matmul(a.expand_dims(0), b.expand_dims(1)));
  }
}

TEST_CASE("a vector is a row on the left and a column on the right of matmul") {
  test_engine e;
  const auto m = arange(6).reshape({2, 3});
  const tensor row = {1, 2}, column = {1, 2, 3};
  CHECK(numbers(matmul(m, column)) == std::vector<double>{8, 26});
  CHECK(type_text(matmul(m, column)) == "int64[2]");
  CHECK(numbers(matmul(row, m)) == std::vector<double>{6, 9, 12});
  CHECK(type_text(matmul(column, column)) == "int64[]");
  CHECK(matmul(column, column).item<int>() == 14);
  CHECK(type_text(matmul(ones({5, 2, 3}), ones({3}))) == "float32[5,2]");
}

TEST_CASE("matmul promotes its inputs and takes empty ones") {
  test_engine e;
  CHECK(matmul(ones({2, 2}, int32), ones({2, 2})).dtype() == float64);
  CHECK(numbers(matmul(ones({2, 0}), ones({0, 2}))) == std::vector<double>{0, 0, 0, 0});
  CHECK(type_text(matmul(ones({0, 2}), ones({2, 3}))) == "float32[0,3]");
}

TEST_CASE("matmul refuses shapes that do not fit") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(matmul(zeros({2, 3}), zeros({4, 5}))) ==
        "matmul: inner sizes differ: float32[2,3] and float32[4,5]");
  CHECK(TROUPE_ERROR_OF(matmul(zeros({3}), zeros({2}))) ==
        "matmul: inner sizes differ: float32[3] and float32[2]");
  CHECK(TROUPE_ERROR_OF(matmul(zeros({}), zeros({2}))) ==
        "matmul: a scalar has no axis to multiply along: float32[] and float32[2]");
  CHECK(TROUPE_ERROR_OF(matmul(zeros({2, 1, 1}), zeros({3, 1, 1}))) ==
        "matmul: batch axes do not broadcast: float32[2,1,1] and float32[3,1,1]");
  CHECK(TROUPE_ERROR_OF(matmul(zeros({1, 1}), zeros({1, 1}, {.device = cpu(1)}))) ==
        "matmul: inputs on different devices: float32[1,1] on cpu:0 and float32[1,1] on cpu:1");
  CHECK(TROUPE_ERROR_OF(matmul(zeros({2}), tensor{})) == "matmul: input 1 names no array yet");
}

TEST_CASE("matmul's results have the types it infers") {
  test_engine e;
  for (const auto& s : matmul_operation.samples()) {
    std::vector<tensor> in;
    std::vector<tensor_type> types;
    for (const auto& t : s.inputs) {
      in.push_back(ones(t.dims, t.element));
      types.push_back(in.back().type());
    }
    CHECK(s.call(in).type() == matmul_operation.infer(types, {}, {})[0]);
  }
}

TEST_CASE("dot pairs the last axis with the last but one") {
  test_engine e;
  CHECK(dot(tensor{1, 2}, tensor{3, 4}).item<int>() == 11);
  CHECK(numbers(dot(full({}, 2), tensor{3, 4})) == std::vector<double>{6, 8});
  const auto a = arange(12).reshape({2, 2, 3}), b = arange(12).reshape({2, 3, 2});
  const auto c = dot(a, b);
  CHECK(type_text(c) == "int64[2,2,2,2]");
  CHECK(c(1, 0, 1, 1).item<int>() == matmul(a(1, 0), b(1, every, 1)).item<int>());
  CHECK(TROUPE_ERROR_OF(dot(zeros({2, 3}), zeros({2, 3}))) ==
        "dot: inner sizes differ: float32[2,3] and float32[2,3]");
}

}  // namespace troupe::testing
