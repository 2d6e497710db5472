// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/systems.hpp"

#include <cmath>

#include "troupe/tensor/linalg/products.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/linalg/matrices.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"

namespace troupe::testing {

using namespace linalg;

TEST_CASE("solve solves for a vector and for matrices, and batch axes broadcast") {
  test_engine e;
  CHECK(near_all(solve(tensor{{2., 1.}, {1., 3.}}, tensor{3., 5.}), list{0.8, 1.4}));
  CHECK(near_all(solve(tensor{{2., 0.}, {0., 4.}}, tensor{{2., 4.}, {4., 8.}}), list{1, 2, 1, 2}));
  for (const auto element : {float32, float64}) {
    for (const auto& [a, b, x] :
         std::initializer_list<std::array<shape, 3>>{{{{5, 5}, {5}, {5}}},
                                                     {{{70, 70}, {70, 3}, {70, 3}}},
                                                     {{{2, 3, 3}, {3}, {2, 3}}},
                                                     {{{4, 1, 3, 3}, {2, 3, 2}, {4, 2, 3, 2}}},
                                                     {{{3, 3}, {7, 3, 1}, {7, 3, 1}}}}) {
      const auto left = regular_matrices(a, element), right = normal(b, element);
      CAPTURE(to_string(a), to_string(b), name(element));
      const auto found = solve(left, right);
      REQUIRE(found.shape() == x);
      const auto same =
          b.rank() == 1 ? squeeze(matmul(left, expand_dims(found, -1)), -1) : matmul(left, found);
      CHECK(near_all(same, broadcast_to(right, same.shape())));
      CHECK(near_all(solve(copy(left.swapaxes(-1, -2)).swapaxes(-1, -2), right), found));
    }
  }
  CHECK(type_text(solve(zeros({0, 0}), zeros({0}))) == "float32[0]");
  CHECK(type_text(solve(zeros({0, 3, 3}), zeros({3, 2}))) == "float32[0,3,2]");
  CHECK(type_text(solve(eye(2, int64), ones({2, 0}))) == "float64[2,0]");
}

TEST_CASE("a singular matrix fails the value, and the error names the matrix and the line") {
  test_engine e;
  const auto x = solve(tensor{{1., 2.}, {2., 4.}}, tensor{1., 2.});
  const int line = __LINE__ - 1;
  CHECK(failure_of(x) ==
        "solve: the matrix is singular; inputs float64[2,2], float64[2,1] on cpu:0 "
        "(systems_test.cpp:" +
            std::to_string(line) + ")");
  auto some = broadcast_to(eye(2), {2, 3, 2, 2}) * tensor{{{{1.}}, {{1.}}, {{0.}}}};
  CHECK(failure_of(inv(some)).starts_with(
      "inv: matrix [0,2] is singular; inputs float64[2,3,2,2] on cpu:0 (systems_test.cpp:"));
  CHECK(failure_of(solve_triangular(zeros({2, 2}), ones({2})))
            .starts_with("solve_triangular: the matrix is singular; inputs float32[2,2]"));
}

TEST_CASE("solve_triangular reads one triangle, upright or transposed") {
  test_engine e;
  for (const auto element : {float32, float64}) {
    const auto a = regular_matrices({2, 4, 4}, element), b = normal({2, 4, 3}, element);
    for (int kind = 0; kind < 8; ++kind) {
      const triangular_options how{.upper = (kind & 1) != 0,
                                   .transposed = (kind & 2) != 0,
                                   .unit_diagonal = (kind & 4) != 0};
      CAPTURE(kind, name(element));
      auto triangle = how.upper ? triu(a) : tril(a);
      if (how.unit_diagonal) triangle = (how.upper ? triu(a, 1) : tril(a, -1)) + eye(4, element);
      if (how.transposed) triangle = triangle.swapaxes(-1, -2);
      CHECK(near_all(matmul(triangle, solve_triangular(a, b, how)), b));
      const auto turned = copy(a.swapaxes(-1, -2)).swapaxes(-1, -2);
      CHECK(near_all(matmul(triangle, solve_triangular(turned, b, how)), b));
    }
  }
}

TEST_CASE("inv is the inverse") {
  test_engine e;
  CHECK(near_all(inv(tensor{{4., 7.}, {2., 6.}}), list{0.6, -0.7, -0.2, 0.4}));
  for (const auto element : {float32, float64}) {
    for (const auto& dims : {shape{1, 1}, shape{90, 90}, shape{3, 2, 5, 5}}) {
      const auto x = regular_matrices(dims, element);
      CHECK(near_all(matmul(inv(x), x),
                     broadcast_to(eye(dims[dims.rank() - 1], element), x.shape())));
    }
  }
  CHECK(type_text(inv(zeros({2, 0, 0}))) == "float32[2,0,0]");
  CHECK(type_text(inv(eye(2, float16))) == "float16[2,2]");
}

TEST_CASE("det and slogdet give the determinant, however large") {
  test_engine e;
  CHECK(near_all(det(tensor{{1., 2.}, {3., 4.}}), list{-2}));
  CHECK(numbers(det(tensor{{1., 2.}, {2., 4.}})) == list{0});
  CHECK(numbers(det(zeros({2, 0, 0}))) == list{1, 1});
  CHECK(near_all(det(tensor{{{0., 1.}, {1., 0.}}, {{2., 0.}, {5., 3.}}}), list{-1, 6}));
  const auto [sign, size] = slogdet(tensor{{{0., 1.}, {1., 0.}}, {{0., 0.}, {5., 3.}}});
  CHECK(numbers(sign) == list{-1, 0});
  CHECK(numbers(size) == list{0, -INFINITY});
  const auto large = slogdet(eye(400, float32) * -1e30);
  CHECK(numbers(large.sign) == list{1});
  CHECK(near_all(large.logabsdet, list{400 * 30 * std::log(10.)}));
  CHECK(numbers(det(eye(400, float32) * 1e30)) == list{INFINITY});
  // The product passes numbers that are too small.
  const auto balanced = concatenate({full({200}, 1e-10, float64), full({200}, 1e10, float64)});
  CHECK(near_all(det(diag(balanced)), list{1}));
  const auto nothing = slogdet(zeros({0, 0}));
  CHECK(numbers(nothing.sign) == list{1});
  CHECK(numbers(nothing.logabsdet) == list{0});
  CHECK(std::isnan(det(tensor{{NAN, 1.}, {1., 1.}}).item<double>()));
}

TEST_CASE("det has gradients at singular matrices, too: the cofactors") {
  test_engine e;
  const auto slopes = [](const tensor& x) {
    return grad([](const tensor& y) { return sum(det(y)); })(x);
  };
  CHECK(near_all(slopes(tensor{{1., 2.}, {2., 4.}}), list{4, -2, -2, 1}));
  CHECK(near_all(slopes(tensor{{{0., 1.}, {0., 0.}}, {{2., 0.}, {5., 3.}}}),
                 list{0, 0, -1, 0, 3, -5, 0, 2}));
  CHECK(near_all(slopes(tensor{{0., 2., 3.}, {0., 4., 5.}, {0., 6., 8.}}),
                 list{2, 0, 0, 2, 0, 0, -2, 0, 0}));
  CHECK(numbers(slopes(zeros({2, 0, 0}))).empty());
  CHECK(numbers(slopes(tensor{{5.}})) == list{1});
  CHECK(numbers(slopes(tensor{{0.}})) == list{1});
  const auto balanced = diag(concatenate({full({99}, 1e-10, float64), full({99}, 1e10, float64)}));
  CHECK(near_all(sum(slopes(balanced) * balanced, 1), list(198, 1)));
  check_gradient([&](const tensor& x) { return slopes(x); }, distinct({3, 3}));
}

TEST_CASE("systems refuse shapes that do not fit") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(solve(zeros({2, 3}), zeros({2}))) ==
        "solve: not a square matrix: float32[2,3]");
  CHECK(TROUPE_ERROR_OF(solve(zeros({3}), zeros({3}))) ==
        "solve: no matrix: two axes or more are needed: float32[3]");
  CHECK(TROUPE_ERROR_OF(solve(zeros({3, 3}), zeros({2}))) ==
        "solve: not as many rows on both sides: float32[3,3] and float32[2]");
  CHECK(TROUPE_ERROR_OF(solve(zeros({2, 3, 3}), zeros({4, 3, 1}))) ==
        "solve: batch axes do not broadcast: float32[2,3,3] and float32[4,3,1]");
  CHECK(TROUPE_ERROR_OF(solve_triangular(zeros({3, 3}), full({}, 1., float64))) ==
        "solve_triangular: the right-hand side is neither vector nor matrix: float32[3,3] and "
        "float64[]");
  CHECK(TROUPE_ERROR_OF(solve(zeros({1, 1}), zeros({1}, {.device = cpu(1)}))) ==
        "solve: inputs on different devices: float32[1,1] on cpu:0 and float32[1] on cpu:1");
  CHECK(TROUPE_ERROR_OF(inv(tensor{})) == "inv: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(det(zeros({2, 1}))) == "det: not a square matrix: float32[2,1]");
  CHECK(TROUPE_ERROR_OF(slogdet(zeros({4}, int32))) ==
        "slogdet: no matrix: two axes or more are needed: int32[4]");
}

}  // namespace troupe::testing
