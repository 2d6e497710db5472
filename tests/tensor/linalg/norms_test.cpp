// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/norms.hpp"

#include <cmath>

#include "troupe/tensor/linalg/products.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tests/tensor/linalg/matrices.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"

namespace troupe::testing {

TEST_CASE("vector_norm is the root of a sum of powers, along any axes") {
  test_engine e;
  const tensor x = {{3., -4.}, {0., 12.}};
  CHECK(near_all(linalg::vector_norm(x), list{13}));
  CHECK(near_all(linalg::vector_norm(x, 1), list{5, 12}));
  CHECK(near_all(linalg::vector_norm(x, {}, false, 1), list{19}));
  CHECK(near_all(linalg::vector_norm(x, {}, false, 3), list{std::cbrt(27 + 64 + 1728)}));
  CHECK(near_all(linalg::vector_norm(x, 0, false, INFINITY), list{3, 12}));
  CHECK(near_all(linalg::vector_norm(x, 0, false, -INFINITY), list{0, 4}));
  CHECK(near_all(linalg::vector_norm(x, 1, false, 0), list{2, 1}));
  CHECK(near_all(linalg::vector_norm(x[0], {}, false, -1), list{12. / 7}));
  CHECK(type_text(linalg::vector_norm(ones({2, 3}, int32), 1, keepdims, 1)) == "float64[2,1]");
  check_gradient([](const tensor& t) { return linalg::vector_norm(t, 0, false, 3); },
                 distinct({3, 2}));
  CHECK(TROUPE_ERROR_OF(linalg::vector_norm(x, 2)) ==
        "vector_norm: axis 2 is out of range for float64[2,2]");
}

TEST_CASE("norm takes the first of two axes for the rows") {
  test_engine e;
  const tensor x = {{1., -2.}, {3., 4.}};
  CHECK(near_all(linalg::norm(x, 1, axes{0, 1}), list{6}));
  CHECK(near_all(linalg::norm(x, 1, axes{1, 0}), list{7}));
  CHECK(near_all(linalg::norm(x, INFINITY, axes{-1, -2}), list{6}));
  CHECK(type_text(linalg::norm(ones({2, 3, 4}), 1, axes{2, 0}, keepdims)) == "float32[1,3,1]");
}

TEST_CASE("norms of nothing name the function that was called") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(linalg::vector_norm(zeros({2, 0}), 1, false, INFINITY)) ==
        "vector_norm: no element is the greatest or least of none: float32[2,0]");
  CHECK(TROUPE_ERROR_OF(linalg::matrix_norm(zeros({0, 2}), false, -INFINITY)) ==
        "matrix_norm: no element is the greatest or least of none: float32[0,2]");
  CHECK(TROUPE_ERROR_OF(linalg::cond(zeros({0, 0}))) ==
        "cond: no element is the greatest or least of none: float32[0,0]");
  CHECK(numbers(linalg::cond(zeros({2, 2}))) == list{INFINITY});
}

TEST_CASE("matrix_norm knows eight orders") {
  test_engine e;
  const tensor x = {{1., -2.}, {3., 4.}};
  const double s = std::sqrt(125.);  // singular values are the roots of 15 + s and 15 - s
  const double greatest = std::sqrt(15 + s), least = std::sqrt(15 - s);
  const std::pair<linalg::norm_order, double> known[] = {{"fro", std::sqrt(30.)},
                                                         {"nuc", greatest + least},
                                                         {1, 6},
                                                         {-1, 4},
                                                         {INFINITY, 7},
                                                         {-INFINITY, 3},
                                                         {2, greatest},
                                                         {-2, least}};
  for (const auto& [order, wanted] : known) {
    CAPTURE(order.name(), order.number());
    CHECK(near_all(linalg::matrix_norm(x, false, order), list{wanted}));
    CHECK(near_all(linalg::norm(x, order), list{wanted}));
    const auto some = broadcast_to(x, {2, 3, 2, 2});
    CHECK(type_text(linalg::matrix_norm(some, keepdims, order)) == "float64[2,3,1,1]");
    CHECK(near_all(linalg::norm(some, order, axes{2, 3})[1][2], list{wanted}));
    check_gradient([&](const tensor& t) { return linalg::matrix_norm(t, false, order); },
                   sin(distinct({2, 3, 2}) * 5.));
  }
  CHECK(TROUPE_ERROR_OF(linalg::matrix_norm(x, false, 3)) ==
        "matrix_norm: the order 3.0 is none of fro, nuc, 1, -1, 2, -2, inf and -inf");
  CHECK(TROUPE_ERROR_OF(linalg::matrix_norm(x, false, "max")) ==
        "matrix_norm: the order max is none of fro, nuc, 1, -1, 2, -2, inf and -inf");
  CHECK(TROUPE_ERROR_OF(linalg::matrix_norm(x[0])) ==
        "matrix_norm: no matrix: two axes or more are needed: float64[2]");
}

TEST_CASE("norm is that of vectors or of matrices, by the number of axes") {
  test_engine e;
  const auto x = arange(24., float64).reshape({2, 3, 4});
  CHECK(near_all(linalg::norm(x), list{std::sqrt(4324.)}));
  CHECK(near_all(linalg::norm(x, {}, axes{0, 2}), linalg::vector_norm(x, {0, 2})));
  CHECK(near_all(linalg::norm(x, 1, axes(1)), linalg::vector_norm(x, 1, false, 1)));
  CHECK(near_all(linalg::norm(x, 1, axes{1, 2}), linalg::matrix_norm(x, false, 1)));
  CHECK(near_all(linalg::norm(x, 1, axes{0, 2}), linalg::matrix_norm(swapaxes(x, 0, 1), false, 1)));
  CHECK(type_text(linalg::norm(x, 1, axes{0, 2}, keepdims)) == "float64[1,3,1]");
  CHECK(near_all(linalg::norm(x[0][0], 1), list{6}));
  CHECK(TROUPE_ERROR_OF(linalg::norm(x, 1)) ==
        "norm: an order is for one axis or two, not for 3 of float64[2,3,4]");
  CHECK(TROUPE_ERROR_OF(linalg::norm(x, "nuc", axes(0))) ==
        "norm: the order nuc is for matrices, not for float64[2,3,4]");
}

TEST_CASE("cond is the product of two norms") {
  test_engine e;
  const tensor x = {{1., 0.}, {0., 4.}};
  CHECK(near_all(linalg::cond(x), list{4}));
  CHECK(near_all(linalg::cond(x, -2), list{0.25}));
  CHECK(near_all(linalg::cond(x, "fro"), list{std::sqrt(17.) * std::sqrt(17. / 16)}));
  CHECK(near_all(linalg::cond(x, 1), list{4}));
  CHECK(numbers(linalg::cond(zeros({2, 2}) + tensor{{1.F, 0.F}, {0.F, 0.F}})) == list{INFINITY});
  CHECK(type_text(linalg::cond(ones({5, 3, 2}))) == "float32[5]");
  CHECK(TROUPE_ERROR_OF(linalg::cond(zeros({2, 3}), 1)) ==
        "cond: not a square matrix: float32[2,3]");
}

TEST_CASE("matrix_power multiplies, also inverses") {
  test_engine e;
  const tensor x = {{1, 1}, {1, 0}};
  CHECK(numbers(linalg::matrix_power(x, 10)) == list{89, 55, 55, 34});
  CHECK(linalg::matrix_power(x, 10).dtype() == int64);
  CHECK(numbers(linalg::matrix_power(x, 0)) == list{1, 0, 0, 1});
  CHECK(numbers(linalg::matrix_power(x, 1)) == numbers(x));
  CHECK(near_all(linalg::matrix_power(x, -3), list{-1, 2, 2, -3}));
  CHECK(type_text(linalg::matrix_power(zeros({3, 2, 2}), 0)) == "float32[3,2,2]");
  check_gradient([](const tensor& t) { return linalg::matrix_power(t, 5); }, distinct({2, 2}));
  CHECK(TROUPE_ERROR_OF(linalg::matrix_power(zeros({2, 3}), 2)) ==
        "matrix_power: not a square matrix: float32[2,3]");
}

TEST_CASE("expm is the sum of the powers") {
  test_engine e;
  CHECK(near_all(linalg::expm(zeros({2, 2}, float64)), list{1, 0, 0, 1}));
  CHECK(
      near_all(linalg::expm(tensor{{1., 0.}, {0., -2.}}), list{std::exp(1.), 0, 0, std::exp(-2)}));
  CHECK(near_all(linalg::expm(tensor{{0., 30.}, {-30., 0.}}),
                 list{std::cos(30), std::sin(30), -std::sin(30), std::cos(30)}));
  for (const auto element : {float32, float64}) {
    const auto x = normal({3, 20, 20}, element) * 0.3;
    auto sum_of_powers = copy(broadcast_to(eye(20, element), x.shape())), power = sum_of_powers;
    for (int i = 1; i < 40; ++i) {
      power = matmul(power, x) / static_cast<double>(i);
      sum_of_powers = sum_of_powers + power;
    }
    CHECK(near_all(linalg::expm(x), sum_of_powers));
  }
  CHECK(std::isnan(linalg::expm(tensor{{NAN}}).item<double>()));
  CHECK(!std::isfinite(numbers(linalg::expm(full({2, 2}, 1e308)))[0]));
  const double growth = (std::exp(1.) - std::exp(-1.)) / 2;
  for (const double far : {1., 1e5, 1e12, 1e100}) {
    const auto x = tensor{{1., far}, {0., -1.}};
    const double wanted[] = {std::exp(1.), far * growth, 0, std::exp(-1.)};
    const auto upper = numbers(linalg::expm(x)), lower = numbers(turned(linalg::expm(turned(x))));
    for (std::size_t i = 0; i < 4; ++i) {
      CAPTURE(far, i);
      CHECK(near(upper[i], wanted[i], 1e-12, 0));
      CHECK(near(lower[i], wanted[i], 1e-12, 0));
    }
  }
  CHECK(type_text(linalg::expm(zeros({0, 0}))) == "float32[0,0]");
}

TEST_CASE("the gradient of expm is as exact for large gradients that arrive") {
  test_engine e;
  const auto x = distinct({3, 3});
  const auto slopes = [&](double factor) {
    return numbers(grad([&](const tensor& at) { return sum(linalg::expm(at)) * factor; })(x) /
                   factor);
  };
  const auto wanted = slopes(1), found = slopes(1e15);
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(near(found[i], wanted[i], 1e-12, 0));
  CHECK(numbers(grad([](const tensor& at) { return sum(linalg::expm(at) * 0.); })(x)) ==
        list(9, 0));
  CHECK(grad([](const tensor& at) { return sum(linalg::expm(at)); })(zeros({0, 0})).size() == 0);
}

TEST_CASE("multi_dot multiplies a chain") {
  test_engine e;
  const auto a = normal({10, 3}, float64), b = normal({3, 20}, float64),
             c = normal({20, 5}, float64), d = normal({5}, float64);
  CHECK(near_all(linalg::multi_dot({a, b, c}), matmul(matmul(a, b), c)));
  CHECK(near_all(linalg::multi_dot({a, b, c, d}), matmul(a, matmul(b, matmul(c, d)))));
  CHECK(near_all(linalg::multi_dot({d, d}), matmul(d, d)));
  CHECK(TROUPE_ERROR_OF(linalg::multi_dot({a})) == "multi_dot: fewer than two arrays");
  CHECK(TROUPE_ERROR_OF(linalg::multi_dot({a, c})) ==
        "multi_dot: inner sizes differ: float64[10,3] and float64[20,5]");
  CHECK(TROUPE_ERROR_OF(linalg::multi_dot({a, b, d, c})) ==
        "multi_dot: array 2 is no matrix: float64[5]");
}

TEST_CASE("trace, diagonal and matrix_transpose take the last two axes") {
  test_engine e;
  const auto x = arange(12).reshape({2, 2, 3});
  CHECK(numbers(linalg::trace(x)) == list{4, 16});
  CHECK(numbers(linalg::trace(x, 1)) == list{6, 18});
  CHECK(numbers(linalg::diagonal(x)) == list{0, 4, 6, 10});
  CHECK(type_text(linalg::matrix_transpose(x)) == "int64[2,3,2]");
  CHECK(TROUPE_ERROR_OF(linalg::trace(arange(3))) ==
        "trace: no matrix: two axes or more are needed: int64[3]");
}

}  // namespace troupe::testing
