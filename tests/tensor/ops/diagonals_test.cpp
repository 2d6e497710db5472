// SPDX-License-Identifier: MIT
#include "troupe/tensor/ops/diagonals.hpp"

#include <cmath>

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

namespace {

using list = std::vector<double>;

}  // namespace

TEST_CASE("diagonal is a view of the diagonals of matrices") {
  test_engine e;
  const auto x = arange(6).reshape({2, 3});
  CHECK(numbers(diagonal(x)) == list{0, 4});
  CHECK(diagonal(x).source() == x.source());
  CHECK(numbers(diagonal(x, 1)) == list{1, 5});
  CHECK(numbers(diagonal(x, -1)) == list{3});
  CHECK(numbers(diagonal(x.T(), -1)) == list{1, 5});
  CHECK(type_text(diagonal(x, 3)) == "int64[0]");
  CHECK(type_text(diagonal(x, INT64_MIN)) == "int64[0]");
  CHECK(numbers(diagonal(flip(x, 1))) == list{2, 4});
  const auto y = arange(24).reshape({2, 3, 4});
  CHECK(type_text(diagonal(y)) == "int64[4,2]");
  CHECK(numbers(diagonal(y)) == list{0, 16, 1, 17, 2, 18, 3, 19});
  CHECK(numbers(diagonal(y, 1, -2, -1)) == list{1, 6, 11, 13, 18, 23});
  CHECK(numbers(diagonal(y, 1, 2, 1)) == list{4, 9, 16, 21});
  CHECK(type_text(diagonal(zeros({0, 3}))) == "float32[0]");
  check_gradient([](const tensor& m) { return diagonal(m, 1) * 2.0; }, distinct({3, 4}));
  check_gradient([](const tensor& m) { return diagonal(m, -1, 2, 0); }, distinct({3, 2, 4}));
  check_gradient([](const tensor& m) { return diagonal(flip(m, 0)); }, distinct({3, 3}));
  check_gradient([](const tensor& m) { return diagonal(broadcast_to(m, {3, 3})); }, distinct({3}));
  CHECK(TROUPE_ERROR_OF(diagonal(zeros({2}))) ==
        "diagonal: two axes or more are needed, not float32[2]");
  CHECK(TROUPE_ERROR_OF(diagonal(x, 0, 0, 2)) == "diagonal: axis 2 is out of range for int64[2,3]");
  CHECK(TROUPE_ERROR_OF(diagonal(x, 0, 1, -1)) == "diagonal: axis 1 is named twice");
  CHECK(TROUPE_ERROR_OF(diagonal(tensor{})) == "diagonal: the input names no array yet");
}

TEST_CASE("diag makes a matrix of a vector and a vector of a matrix") {
  test_engine e;
  const tensor v = {1, 2};
  CHECK(numbers(diag(v)) == list{1, 0, 0, 2});
  CHECK(numbers(diag(v, 1)) == list{0, 1, 0, 0, 0, 2, 0, 0, 0});
  CHECK(numbers(diag(v, -1)) == list{0, 0, 0, 1, 0, 0, 0, 2, 0});
  CHECK(type_text(diag(v > 1)) == "bool[2,2]");
  CHECK(numbers(diag(diag(v, -3), -3)) == list{1, 2});
  CHECK(type_text(diag(zeros({0}))) == "float32[0,0]");
  CHECK(type_text(diag(zeros({0}), 2)) == "float32[2,2]");
  CHECK(numbers(diag(arange(6).reshape({2, 3}), 1)) == list{1, 5});
  check_gradient([](const tensor& x) { return diag(x, 1); }, distinct({3}));
  check_gradient([](const tensor& x) { return diag(x, -1); }, distinct({3, 3}));
  CHECK(TROUPE_ERROR_OF(diag(full({}, 1))) == "diag: neither a vector nor a matrix: int64[]");
  CHECK(TROUPE_ERROR_OF(diag(zeros({1, 2, 3}))) ==
        "diag: neither a vector nor a matrix: float32[1,2,3]");
  CHECK(TROUPE_ERROR_OF(diag(v, INT64_MIN)) ==
        "diag: more elements than can be counted come out of int64[2] on diagonal "
        "-9223372036854775808");
  CHECK(TROUPE_ERROR_OF(diag(tensor{})) == "diag: the input names no array yet");
}

TEST_CASE("tri has ones up to a diagonal") {
  test_engine e;
  CHECK(numbers(tri(2)) == list{1, 0, 1, 1});
  CHECK(type_text(tri(2)) == "float32[2,2]");
  CHECK(numbers(tri(2, 3, 1)) == list{1, 1, 0, 1, 1, 1});
  CHECK(numbers(tri(2, 3, -1, {.dtype = int32})) == list{0, 0, 0, 1, 0, 0});
  CHECK(numbers(tri(2, 2, INT64_MAX)) == list{1, 1, 1, 1});
  CHECK(numbers(tri(2, 2, INT64_MIN)) == list{0, 0, 0, 0});
  CHECK(type_text(tri(0, 3, 0, {.dtype = boolean})) == "bool[0,3]");
  CHECK(tri(2, 2, 0, {.device = cpu(1)}).device() == cpu(1));
  CHECK(TROUPE_ERROR_OF(tri(2, -1)) == "tri: negative size -1");
}

TEST_CASE("tril and triu keep one side of a diagonal, of each matrix") {
  test_engine e;
  const auto x = arange(1, 7).reshape({2, 3});
  CHECK(numbers(tril(x)) == list{1, 0, 0, 4, 5, 0});
  CHECK(numbers(triu(x)) == list{1, 2, 3, 0, 5, 6});
  CHECK(numbers(tril(x, 1)) == list{1, 2, 0, 4, 5, 6});
  CHECK(numbers(triu(x, 1)) == list{0, 2, 3, 0, 0, 6});
  CHECK(numbers(tril(x, -1)) == list{0, 0, 0, 4, 0, 0});
  CHECK(numbers(triu(x, -1)) == numbers(x));
  for (const auto k : {INT64_MIN, INT64_MAX}) {
    CHECK(numbers(tril(x, k)) == (k > 0 ? numbers(x) : list(6)));
    CHECK(numbers(triu(x, k)) == (k < 0 ? numbers(x) : list(6)));
  }
  for (const auto element : all_dtypes) {
    CHECK(tril(ones({2, 2, 2}, element)).dtype() == element);
    CHECK(numbers(real(triu(ones({2, 2, 2}, element)))) == list{1, 1, 0, 1, 1, 1, 0, 1});
  }
  CHECK(type_text(tril(zeros({0, 3}))) == "float32[0,3]");
  CHECK(numbers(tril(full({2, 2}, INFINITY))) == list{INFINITY, 0, INFINITY, INFINITY});
  check_gradient([](const tensor& m) { return tril(m, 1); }, distinct({3, 4}));
  check_gradient([](const tensor& m) { return triu(m); }, distinct({2, 3, 3}));
  CHECK(TROUPE_ERROR_OF(tril(zeros({2}))) == "tril: two axes or more are needed, not float32[2]");
  CHECK(TROUPE_ERROR_OF(triu(zeros({}))) == "triu: two axes or more are needed, not float32[]");
  CHECK(TROUPE_ERROR_OF(triu(tensor{})) == "triu: the input names no array yet");
}

}  // namespace troupe::testing
