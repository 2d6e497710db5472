// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/spectra.hpp"

#include <cmath>

#include "troupe/tensor/linalg/least_squares.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/linalg/matrices.hpp"
#include "troupe/tests/tensor/numeric_gradient.hpp"

namespace troupe::testing {

using namespace linalg;

namespace {

/// Returns u diag(s) vh, which may have more columns and rows than there are singular values.
tensor joined(const svd_result& found) {
  const auto n = found.s.shape()[found.s.rank() - 1];
  return matmul(slice(found.u, -1, 0, n) * expand_dims(found.s, -2), slice(found.vh, -2, 0, n));
}

bool ordered(const tensor& x) { return all(diff(x) >= 0.).item<bool>(); }

}  // namespace

TEST_CASE("svd takes matrices apart") {
  test_engine e;
  CHECK(near_all(svdvals(tensor{{3., 0.}, {0., -4.}}), list{4, 3}));
  for (const auto element : {float32, float64}) {
    for (const auto& dims : {shape{1, 1}, shape{5, 5}, shape{7, 3}, shape{3, 7}, shape{60, 40},
                             shape{2, 3, 4}, shape{2, 3, 5, 2}}) {
      for (const bool full : {false, true}) {
        CAPTURE(to_string(dims), name(element), full);
        const auto x = normal(dims, element);
        const auto found = svd(x, full);
        const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
        CHECK(found.u.shape()[dims.rank() - 1] == (full ? rows : std::min(rows, columns)));
        CHECK(found.vh.shape()[dims.rank() - 2] == (full ? columns : std::min(rows, columns)));
        CHECK(near_all(joined(found), x));
        CHECK(orthonormal(found.u));
        CHECK(orthonormal(turned(found.vh)));
        CHECK(ordered(-found.s));
        CHECK(near_all(svdvals(x), found.s));
      }
    }
  }
  CHECK(type_text(svd(zeros({3, 0})).u) == "float32[3,3]");
  CHECK(numbers(svd(zeros({0, 2})).vh) == list{1, 0, 0, 1});
  CHECK(type_text(svd(zeros({0, 2}), false).vh) == "float32[0,2]");
  CHECK(type_text(svdvals(zeros({2, 0, 3}))) == "float32[2,0]");
}

TEST_CASE("eigh finds eigenvalues and eigenvectors, and reads the lower triangle") {
  test_engine e;
  CHECK(near_all(eigvalsh(tensor{{2., 99.}, {1., 2.}}), list{1, 3}));
  for (const auto element : {float32, float64}) {
    for (const auto& dims : {shape{1, 1}, shape{70, 70}, shape{2, 3, 5, 5}}) {
      CAPTURE(to_string(dims), name(element));
      const auto some = normal(dims, element);
      const auto x = some + turned(some);
      const auto [w, v] = eigh(x);
      CHECK(near_all(matmul(x, v), v * expand_dims(w, -2)));
      CHECK(orthonormal(v));
      CHECK(ordered(w));
      CHECK(near_all(eigvalsh(tril(x)), w));
    }
  }
  CHECK(type_text(eigh(zeros({2, 0, 0})).eigenvectors) == "float32[2,0,0]");
  CHECK(type_text(eigvalsh(zeros({0, 3, 3}))) == "float32[0,3]");
}

TEST_CASE("spectra fail for numbers that are not finite") {
  test_engine e;
  const tensor x = {{{1., 2.}, {2., 5.}}, {{1., 2.}, {NAN, 5.}}};
  const std::string facts = ": matrix [1] has numbers that are not finite; inputs float64[2,2,2]";
  CHECK(failure_of(svd(x).s).starts_with("svd" + facts));
  CHECK(failure_of(svdvals(x)).starts_with("svdvals" + facts));
  CHECK(failure_of(eigh(x).eigenvalues).starts_with("eigh" + facts));
  CHECK(failure_of(eigvalsh(x)).starts_with("eigvalsh" + facts));
  CHECK(numbers(eigvalsh(turned(x))).size() == 4);  // it is not in the lower triangle
}

TEST_CASE("the parts of spectra have gradients on their own") {
  test_engine e;
  const auto symmetric = [](const tensor& x) { return x + turned(x); };
  check_gradient([](const tensor& x) { return svd(x, false).s; }, distinct({3, 4}));
  check_gradient([](const tensor& x) { return joined(svd(x, false)); }, distinct({4, 2}));
  check_gradient([](const tensor& x) { return square(svd(x).vh); }, distinct({3, 3}));
  check_gradient([](const tensor& x) { return svdvals(x); }, distinct({2, 3, 2}));
  check_gradient([&](const tensor& x) { return square(eigh(symmetric(x)).eigenvectors); },
                 distinct({3, 3}));
  check_gradient([&](const tensor& x) { return eigvalsh(symmetric(x)); }, distinct({3, 3}));
  // Values that occur twice have a gradient where the vectors do not matter.
  CHECK(near_all(grad([](const tensor& x) { return sum(svd(x).s); })(eye(2, float64)),
                 list{1, 0, 0, 1}));
  CHECK(near_all(grad([](const tensor& x) { return sum(eigvalsh(x)); })(eye(2, float64)),
                 list{1, 0, 0, 1}));
}

TEST_CASE("pinv and matrix_rank count the singular values that are not small") {
  test_engine e;
  CHECK(near_all(pinv(tensor{{2., 0.}, {0., 0.}, {0., 0.}}), list{0.5, 0, 0, 0, 0, 0}));
  for (const auto element : {float32, float64}) {
    for (const auto& dims : {shape{5, 5}, shape{2, 7, 3}, shape{3, 7}}) {
      const auto x = normal(dims, element), y = pinv(x);
      CAPTURE(to_string(dims), name(element));
      CHECK(near_all(matmul(matmul(x, y), x), x));
      CHECK(near_all(matmul(matmul(y, x), y), y));
      CHECK(near_all(turned(matmul(x, y)), matmul(x, y)));
    }
  }
  CHECK(type_text(matrix_rank(zeros({2, 3, 4}))) == "int64[2]");
  CHECK(numbers(matrix_rank(tensor{{{1., 0.}, {0., 1.}}, {{1., 2.}, {2., 4.}}})) == list{2, 1});
  CHECK(numbers(matrix_rank(tensor{{1., 0.}, {0., 0.1}}, 0.5)) == list{1});
  CHECK(numbers(matrix_rank(zeros({2, 3, 0}))) == list{0, 0});
  CHECK(numbers(matrix_rank(ones({3, 3}))) == list{1});
  check_gradient([](const tensor& x) { return pinv(x); }, distinct({3, 2}));
}

TEST_CASE("pseudo-inverses have gradients where singular values are equal, and where they are 0") {
  test_engine e;
  const auto inverse = [](const tensor& x) { return pinv(x); };
  check_gradient(inverse, eye(3, float64) * 2.);
  check_gradient(inverse, copy(eye(4, 2, 0, {.dtype = float64})));
  check_gradient(inverse, copy(broadcast_to(eye(2, 3, 0, {.dtype = float64}), {2, 2, 3})));
  const auto b = distinct({4, 2});
  check_gradient([&](const tensor& x) { return lstsq(x, b).x; },
                 copy(eye(4, 2, 0, {.dtype = float64})));
  // Changes that keep the rank: the second column stays 0.
  const auto column = tensor{{1.}, {0.}} * tensor{{1., 0.}};
  check_gradient([&](const tensor& x) { return pinv(x * column); }, distinct({2, 2}));
  check_gradient(
      [](const tensor& x) { return grad([](const tensor& y) { return sum(sin(pinv(y))); })(x); },
      eye(2, float64) * 2.);
  const auto parts = [](const tensor& x) {
    const auto found = svd(x, false);
    return matmul(found.u * expand_dims(found.s, -2), found.vh);
  };
  for (const double slope :
       grad([&](const tensor& x) { return sum(parts(x)); })(tensor{{1., 0.}, {0., 0.}, {0., 0.}})
           .to_vector())
    CHECK(std::isfinite(slope));
}

TEST_CASE("lstsq finds the best and shortest solution") {
  test_engine e;
  const auto a = tensor{{1., 1.}, {1., 2.}, {1., 3.}}, b = tensor{1., 2., 2.};
  const auto found = lstsq(a, b);
  CHECK(near_all(found.x, list{2. / 3, 0.5}));
  CHECK(near_all(found.residuals, list{1. / 6}));
  CHECK(numbers(found.rank) == list{2});
  CHECK(near_all(found.singular_values, svdvals(a)));
  const auto wide = lstsq(turned(a), tensor{6., 14.});
  CHECK(near_all(wide.x, list{1, 2, 3}));
  CHECK(type_text(wide.residuals) == "float64[0]");
  CHECK(type_text(lstsq(zeros({2, 4, 3}), zeros({4, 2})).x) == "float32[2,3,2]");
  CHECK(type_text(lstsq(zeros({2, 4, 3}), zeros({4, 2})).residuals) == "float32[2,2]");
  CHECK(near_all(lstsq(ones({2, 2}), ones({2})).x, list{0.5, 0.5}));
  check_gradient([&](const tensor& x) { return lstsq(x, b).x; }, distinct({3, 2}));
  check_gradient([&](const tensor& x) { return lstsq(a, x).x; }, distinct({3, 2}));
  CHECK(lstsq(ones({3, 2}, float16), ones({3}, float16)).x.dtype() == float16);
  CHECK(TROUPE_ERROR_OF(lstsq(a, tensor{1., 2.})) ==
        "lstsq: not as many rows on both sides: float64[3,2] and float64[2]");
  CHECK(TROUPE_ERROR_OF(lstsq(zeros({3}), zeros({3}))) ==
        "lstsq: no matrix: two axes or more are needed: float32[3]");
}

TEST_CASE("spectra refuse what is no matrix") {
  test_engine e;
  CHECK(TROUPE_ERROR_OF(svd(zeros({3}))) ==
        "svd: no matrix: two axes or more are needed: float32[3]");
  CHECK(TROUPE_ERROR_OF(eigh(zeros({3, 2}, int32))) == "eigh: not a square matrix: int32[3,2]");
  CHECK(TROUPE_ERROR_OF(eigvalsh(tensor{})) == "eigvalsh: the input names no array yet");
  CHECK(TROUPE_ERROR_OF(pinv(zeros({3}))) ==
        "pinv: no matrix: two axes or more are needed: float32[3]");
}

TEST_CASE("what wants square matrices takes no others") {
  test_engine e;
  const auto x = ones({2, 5});
  using op_t = linalg_op;
  for (const auto op : {op_t::cholesky, op_t::inv, op_t::det, op_t::slogdet, op_t::eigh,
                        op_t::eigvalsh, op_t::expm}) {
    const auto name = std::string(linalg::detail::record(op).name);
    CHECK(TROUPE_ERROR_OF(linalg::detail::submit(op, x, {}, caller::current())) ==
          name + ": not a square matrix: float32[2,5]");
  }
  for (const auto op : {op_t::lu, op_t::qr, op_t::svd, op_t::svdvals})
    CHECK_NOTHROW(linalg::detail::submit(op, x, {}, caller::current()).wait());
}

}  // namespace troupe::testing
