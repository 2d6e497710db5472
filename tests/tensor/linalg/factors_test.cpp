// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/factors.hpp"

#include <cmath>

#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/linalg/matrices.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"

namespace troupe::testing {

using namespace linalg;

namespace {

/// Returns the shapes of matrices that factors are tried with.
std::vector<shape> shapes() {
  return {{1, 1}, {5, 5}, {7, 3}, {3, 7}, {90, 70}, {2, 4, 3}, {3, 2, 5, 5}, {2, 70, 90}};
}

}  // namespace

TEST_CASE("cholesky gives either triangle, and reads no other") {
  test_engine e;
  CHECK(near_all(cholesky(tensor{{4., 2.}, {2., 5.}}), list{2, 0, 1, 2}));
  CHECK(near_all(cholesky(tensor{{4., 99.}, {2., 5.}}), list{2, 0, 1, 2}));
  CHECK(near_all(cholesky(tensor{{4., 2.}, {99., 5.}}, true), list{2, 1, 0, 2}));
  for (const auto element : {float32, float64}) {
    for (const auto& dims : {shape{90, 90}, shape{2, 3, 4, 4}}) {
      const auto some = regular_matrices(dims, element);
      const auto x = matmul(some, turned(some));
      const auto lower = cholesky(x), upper = cholesky(x, true);
      CHECK(near_all(matmul(lower, turned(lower)), x));
      CHECK(near_all(matmul(turned(upper), upper), x));
      CHECK(numbers(triu(lower, 1)) == numbers(zeros_like(lower)));
      CHECK(near_all(cholesky(copy(turned(x))), lower));
    }
  }
  CHECK(type_text(cholesky(zeros({2, 0, 0}))) == "float32[2,0,0]");
}

TEST_CASE("a matrix that is not positive definite fails the value, and so does NaN") {
  test_engine e;
  CHECK(failure_of(cholesky(tensor{{1., 2.}, {2., 1.}}))
            .starts_with("cholesky: the matrix is not positive definite; inputs float64[2,2] on "
                         "cpu:0 (factors_test.cpp:"));
  CHECK(failure_of(cholesky(zeros({2, 2}))).starts_with("cholesky: the matrix is not positive"));
  CHECK(failure_of(cholesky(tensor{{NAN, 0.}, {0., 1.}}))
            .starts_with("cholesky: the matrix is not positive definite"));
  const auto some = eye(2) * tensor{{{1.F}}, {{1.F}}, {{-1.F}}};
  CHECK(failure_of(cholesky(some)).starts_with("cholesky: matrix [2] is not positive definite"));
}

TEST_CASE("lu gives a permutation and two triangles") {
  test_engine e;
  const auto [p, l, u] = lu(tensor{{1., 2.}, {3., 4.}});
  CHECK(numbers(p) == list{0, 1, 1, 0});
  CHECK(near_all(l, list{1, 0, 1. / 3, 1}));
  CHECK(near_all(u, list{3, 4, 0, 2. / 3}));
  for (const auto element : {float32, float64}) {
    for (const auto& dims : shapes()) {
      CAPTURE(to_string(dims), name(element));
      const auto x = normal(dims, element);
      const auto found = lu(x);
      CHECK(near_all(matmul(found.p, matmul(found.l, found.u)), x));
      CHECK(numbers(triu(found.l, 1)) == numbers(zeros_like(found.l)));
      CHECK(numbers(tril(found.u, -1)) == numbers(zeros_like(found.u)));
      CHECK(numbers(sum(found.p, -1)) == numbers(ones_like(sum(found.p, -1))));
    }
  }
  CHECK(numbers(lu(zeros({2, 2})).u) == list{0, 0, 0, 0});
  CHECK(type_text(lu(zeros({3, 0})).p) == "float32[3,3]");
  CHECK(numbers(lu(zeros({2, 0})).p) == list{1, 0, 0, 1});
  // More rows than a narrow float has numbers for.
  const auto tall = lu(flip(arange(1, 601).reshape({600, 1}).astype(bfloat16)));
  CHECK(tall.p.dtype() == bfloat16);
  CHECK(sum(tall.p.astype(float32)).item<float>() == 600);
}

TEST_CASE("qr gives orthonormal columns and an upper triangle") {
  test_engine e;
  for (const auto element : {float32, float64}) {
    for (const auto& dims : shapes()) {
      for (const bool complete : {false, true}) {
        CAPTURE(to_string(dims), name(element), complete);
        const auto x = normal(dims, element);
        const auto [q, r] = qr(x, complete);
        const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
        CHECK(q.shape()[q.rank() - 1] == (complete ? rows : std::min(rows, columns)));
        CHECK(near_all(matmul(q, r), x));
        CHECK(orthonormal(q));
        CHECK(numbers(tril(r, -1)) == numbers(zeros_like(r)));
      }
    }
  }
  CHECK(type_text(qr(zeros({3, 0})).q) == "float32[3,0]");
  CHECK(numbers(qr(zeros({2, 0}), true).q) == list{1, 0, 0, 1});
  CHECK(type_text(qr(zeros({2, 0}), true).r) == "float32[2,0]");
  CHECK(type_text(qr(zeros({0, 2})).r) == "float32[0,2]");
}

TEST_CASE("factors have gradients, but for those that are not unique") {
  test_engine e;
  check_gradient([](const tensor& x) { return lu(x + eye(3, float64) * 4.).u; }, distinct({3, 3}));
  check_gradient([](const tensor& x) { return lu(x).l; }, distinct({2, 3, 3}));
  check_gradient([](const tensor& x) { return qr(x).q; }, distinct({4, 2}));
  check_gradient([](const tensor& x) { return qr(x).r; }, distinct({2, 2, 4}));
  check_gradient([](const tensor& x) { return cholesky(matmul(x, x.T()) + eye(3, float64), true); },
                 distinct({3, 3}));
  const auto gradient_error = [](auto f, const tensor& x) {
    try {
      grad([&](const tensor& at) { return sum(f(at)); })(x).wait();
    } catch (const error& found) { return std::string(found.what()); }
    return std::string("none");
  };
  CHECK(gradient_error([](const tensor& x) { return lu(x).u; }, normal({2, 3}))
            .starts_with("lu: the gradient is that of square matrices, not of float32[2,3] "
                         "(factors_test.cpp:"));
  CHECK(gradient_error([](const tensor& x) { return qr(x, true).r; }, normal({3, 2}))
            .starts_with("qr: a complete Q has no gradient for more rows than columns: "
                         "float32[3,2] (factors_test.cpp:"));
}

TEST_CASE("factors refuse what is no matrix") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(cholesky(zeros({2, 3}))) == "cholesky: not a square matrix: float32[2,3]");
  CHECK(TROUPE_ERROR_OF(cholesky(zeros({2}))) ==
        "cholesky: no matrix: two axes or more are needed: float32[2]");
  CHECK(TROUPE_ERROR_OF(lu(zeros({}))) == "lu: no matrix: two axes or more are needed: float32[]");
  CHECK(TROUPE_ERROR_OF(qr(zeros({3}))) ==
        "qr: no matrix: two axes or more are needed: float32[3]");
  CHECK(TROUPE_ERROR_OF(qr(tensor{})) == "qr: the input names no array yet");
}

}  // namespace troupe::testing
