// SPDX-License-Identifier: MIT
#include "troupe/tensor/linalg/linalg.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tests/devices/cuda/on_both.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using matrix_function = std::function<tensor(const tensor&)>;

constexpr dtype numbers[] = {float32, float64, complex64, complex128};

/// Returns matrices far from singular ones.
tensor regular_matrices(on_both& both, const shape& dims, dtype element) {
  const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
  return both.random(dims, element) * 0.25 +
         eye(rows, columns, 0, {.dtype = element}) * astype(arange(columns) + 1, element);
}

/// Returns the matrix with rows and columns exchanged and, of complex numbers, the conjugate ones.
tensor adjoint(const tensor& x) {
  const auto turned = x.swapaxes(-1, -2);
  return is_complex(x.dtype()) ? conj(turned) : turned;
}

tensor gram(const tensor& x) { return matmul(x, adjoint(x)); }

/// Returns u diag(s) vh, of as many vectors as there are values.
tensor put_together(const linalg::svd_result& f) {
  const auto n = f.s.shape()[-1];
  return matmul(f.u.slice(-1, 0, n) * expand_dims(f.s, -2), f.vh.slice(-2, 0, n));
}

/// Returns vectors, the columns, each multiplied by the number of absolute value 1 that makes its
/// greatest element positive: eigenvectors are known up to such a number.
tensor with_greatest_positive(const tensor& vectors) {
  const auto where = argmax(abs(vectors), -2, true);
  const auto greatest = take_along_axis(vectors, where, -2);
  return vectors * conj(greatest) / abs(greatest);
}

/// Returns the numbers backwards in memory.
tensor turned_back(const tensor& x) {
  const auto flipped = [](const tensor& y) {
    return y.slice(-1, {}, {}, -1).slice(-2, {}, {}, -1);
  };
  return flipped(copy(flipped(x)));
}

/// Fails the test unless a function of matrices gives the same on the GPU, however they lie there.
void check_matrices(on_both& both, const tensor& x, const matrix_function& f) {
  both.check([&](const auto& at) { return f(at(x)); });
  both.check([&](const auto& at) { return f(turned_back(at(x))); });
  both.check([&](const auto& at) { return f(copy(at(x).swapaxes(-1, -2)).swapaxes(-1, -2)); });
}

}  // namespace

TEST_CASE("square matrices have the same inverses, factors and values on a GPU") {
  on_both both;
  for (const auto element : numbers) {
    for (const shape& dims : {shape{1, 1}, shape{5, 5}, shape{2, 3, 4, 4}}) {
      CAPTURE(name(element), to_string(dims));
      const auto x = regular_matrices(both, dims, element);
      const auto same_everywhere = [&](const matrix_function& f) { check_matrices(both, x, f); };
      same_everywhere([](const tensor& a) { return linalg::inv(a); });
      same_everywhere([](const tensor& a) { return linalg::det(a); });
      same_everywhere([](const tensor& a) { return linalg::slogdet(-a).sign; });
      same_everywhere([](const tensor& a) { return linalg::slogdet(a).logabsdet; });
      same_everywhere([](const tensor& a) { return linalg::cholesky(gram(a)); });
      same_everywhere([](const tensor& a) { return linalg::cholesky(gram(a), true); });
      same_everywhere([](const tensor& a) { return linalg::eigvalsh(a); });
      same_everywhere([](const tensor& a) {
        const auto f = linalg::eigh(a);
        return matmul(f.eigenvectors * expand_dims(f.eigenvalues, -2), adjoint(f.eigenvectors));
      });
    }
  }
}

TEST_CASE("any square matrix has the same eigenvalues and eigenvectors on a GPU") {
  on_both both;
  for (const auto element : numbers) {
    for (const shape& dims : {shape{1, 1}, shape{5, 5}, shape{2, 3, 4, 4}}) {
      CAPTURE(name(element), to_string(dims));
      const auto x = both.random(dims, element);  // real ones have conjugate pairs among them
      check_matrices(both, x, [](const tensor& a) { return linalg::eigvals(a); });
      check_matrices(both, x, [](const tensor& a) { return linalg::eig(a).eigenvalues; });
      check_matrices(both, x, [](const tensor& a) {
        return with_greatest_positive(linalg::eig(a).eigenvectors);
      });
    }
  }
}

TEST_CASE("tall and wide matrices have the same factors on a GPU") {
  on_both both;
  for (const auto element : numbers) {
    for (const shape& dims : {shape{5, 3}, shape{3, 5}, shape{4, 4}, shape{2, 3, 2}, shape{1, 4}}) {
      CAPTURE(name(element), to_string(dims));
      const auto x = regular_matrices(both, dims, element);
      const auto same_everywhere = [&](const matrix_function& f) { check_matrices(both, x, f); };
      same_everywhere([](const tensor& a) { return linalg::svdvals(a); });
      same_everywhere([](const tensor& a) { return linalg::pinv(a); });
      same_everywhere([](const tensor& a) { return linalg::lu(a).l; });
      same_everywhere([](const tensor& a) {
        const auto f = linalg::lu(a);
        return matmul(f.p, matmul(f.l, f.u));
      });
      for (const bool all : {false, true}) {
        same_everywhere([all](const tensor& a) { return put_together(linalg::svd(a, all)); });
        same_everywhere([all](const tensor& a) { return gram(linalg::svd(a, all).vh); });
        same_everywhere([all](const tensor& a) { return gram(adjoint(linalg::svd(a, all).u)); });
        same_everywhere([all](const tensor& a) { return linalg::qr(a, all).r; });
        same_everywhere([all](const tensor& a) {
          const auto f = linalg::qr(a, all);
          return matmul(f.q, f.r);
        });
        same_everywhere([all](const tensor& a) { return gram(adjoint(linalg::qr(a, all).q)); });
      }
    }
  }
}

TEST_CASE("systems have the same solutions on a GPU") {
  on_both both;
  for (const auto element : numbers) {
    const auto a = regular_matrices(both, {4, 4}, element);
    const auto many = regular_matrices(both, {3, 4, 4}, element);
    for (const shape& dims : {shape{4}, shape{4, 1}, shape{4, 3}, shape{3, 4, 2}, shape{4, 0}}) {
      CAPTURE(name(element), to_string(dims));
      const auto b = both.random(dims, element);
      both.check([&](const auto& at) { return linalg::solve(at(a), at(b)); });
      both.check([&](const auto& at) { return linalg::solve(at(many), at(b)); });
      if (dims.rank() > 1)
        both.check([&](const auto& at) { return linalg::lstsq(at(a), at(b)).x; });
      for (int form = 0; form < 8; ++form) {
        const linalg::triangular_options given{
            .upper = (form & 1) != 0, .transposed = (form & 2) != 0, .unit_diagonal = form >= 4};
        both.check(
            [&](const auto& at) { return linalg::solve_triangular(at(many), at(b), given); });
        both.check([&](const auto& at) {
          return linalg::solve_triangular(turned_back(at(many)), at(b), given);
        });
      }
    }
  }
}

TEST_CASE("matrices without elements have their results on a GPU") {
  on_both both;
  const auto nothing = zeros({2, 0, 0}), wide = zeros({0, 3}), tall = zeros({2, 3, 0});
  both.check([&](const auto& at) { return linalg::det(at(nothing)); });
  both.check([&](const auto& at) { return linalg::slogdet(at(nothing)).sign; });
  both.check([&](const auto& at) { return linalg::slogdet(at(nothing)).logabsdet; });
  both.check([&](const auto& at) { return linalg::inv(at(nothing)); });
  both.check([&](const auto& at) { return linalg::qr(at(tall), true).q; });
  both.check([&](const auto& at) { return linalg::svd(at(wide)).vh; });
  both.check([&](const auto& at) { return linalg::svd(at(tall)).u; });
  both.check([&](const auto& at) { return linalg::lu(at(tall)).p; });
  both.check([&](const auto& at) { return linalg::inv(at(zeros({0, 3, 3}))); });
  both.check([&](const auto& at) { return linalg::svdvals(at(wide)); });
}

TEST_CASE("wrong matrices fail on a GPU with the line that they fail with on a CPU") {
  on_both both;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const auto singular = ones({2, 2}), lone_nan = eye(3) * nan;
  const auto several = concatenate({expand_dims(eye(2), 0), zeros({1, 2, 2}), ones({1, 2, 2})}, 0);
  const auto compare = [&](const tensor& x, const matrix_function& f) {
    auto expected = error_of(f(x));
    REQUIRE(!expected.empty());
    for (auto at = expected.find("cpu:0"); at != std::string::npos; at = expected.find("cpu:0"))
      expected.replace(at, 5, "gpu:0");
    CHECK(error_of(f(to(x, gpu(0)))) == expected);
  };
  for (const auto& x : {singular, several}) {
    compare(x, [](const tensor& a) { return linalg::inv(a); });
    compare(x, [](const tensor& a) {
      return linalg::solve(a, ones({2, 1}, {.device = a.device()}));
    });
    compare(x, [](const tensor& a) { return linalg::cholesky(a - 1.); });
  }
  compare(several, [](const tensor& a) {
    return linalg::solve_triangular(a, ones({2, 1}, {.device = a.device()}));
  });
  compare(-eye(3), [](const tensor& a) { return linalg::cholesky(a); });
  compare(lone_nan, [](const tensor& a) { return linalg::cholesky(a); });
  compare(lone_nan, [](const tensor& a) { return linalg::svdvals(a); });
  compare(lone_nan, [](const tensor& a) { return linalg::svd(a).u; });
  compare(lone_nan, [](const tensor& a) { return linalg::eigvalsh(a); });
  compare(lone_nan, [](const tensor& a) { return linalg::eigh(a).eigenvectors; });
  compare(lone_nan, [](const tensor& a) { return linalg::eig(a).eigenvectors; });
  compare(lone_nan, [](const tensor& a) { return linalg::eigvals(a); });
}

TEST_CASE("a symmetric matrix is its lower triangle on a GPU, too") {
  on_both both;
  for (const auto element : {float64, complex128}) {
    const auto x = both.random({4, 4}, element);
    const auto without_upper =
        where(greater_equal(expand_dims(arange(4), 1), expand_dims(arange(4), 0)), x,
              std::numeric_limits<double>::quiet_NaN());
    both.check([&](const auto& at) { return linalg::eigvalsh(at(without_upper)); });
    both.check([&](const auto& at) { return linalg::eigh(at(without_upper)).eigenvalues; });
  }
}

TEST_CASE("a singular matrix has the determinant 0 on a GPU, and large ones do not overflow") {
  on_both both;
  both.check([&](const auto& at) { return linalg::det(at(ones({3, 3}))); });
  both.check([&](const auto& at) { return linalg::slogdet(at(ones({3, 3}))).logabsdet; });
  both.check([&](const auto& at) { return linalg::slogdet(at(eye(64) * 1e30)).logabsdet; });
  const auto up_and_down =
      eye(64, {}, 0, {.dtype = float64}) * where(arange(64) < 32, tensor(1e300), tensor(1e-300));
  both.check([&](const auto& at) { return linalg::det(at(up_and_down)); });
  const auto turning = complex(zeros({64}, float64), sum(up_and_down, 0));
  both.check([&](const auto& at) { return linalg::det(at(diag(turning))); });
}

TEST_CASE("normal vectors with a covariance are the same on a GPU") {
  on_both both;
  const auto covariance = gram(regular_matrices(both, {4, 4}, float64));
  both.check([&](const auto& at) {
    return multivariate_normal({3}, at(zeros({4}, float64)), at(covariance));
  });
}

TEST_CASE("linear algebra has its gradients on a GPU") {
  on_both both;
  const auto x = regular_matrices(both, {2, 3, 3}, float64);
  const auto gradient_of = [&](const matrix_function& f) {
    both.check([&](const auto& at) {
      return grad([&](const tensor& a) { return sum(square(f(a))); })(at(x));
    });
  };
  gradient_of([](const tensor& a) { return linalg::inv(a); });
  gradient_of([](const tensor& a) { return linalg::det(a); });
  gradient_of([](const tensor& a) { return linalg::cholesky(gram(a)); });
  gradient_of([](const tensor& a) { return linalg::qr(a).r; });
  gradient_of([](const tensor& a) { return linalg::svdvals(a); });
  gradient_of([](const tensor& a) { return linalg::eigvalsh(a); });
  gradient_of([](const tensor& a) { return linalg::solve(a, a + 1.); });
  gradient_of([](const tensor& a) { return linalg::lu(a).u; });
  gradient_of([](const tensor& a) { return real(linalg::inv(complex(a, a + 1.))); });
  gradient_of([](const tensor& a) { return linalg::eigvalsh(complex(a, a * 0.5)); });
}

TEST_CASE("what GPUs have no linear algebra for names the way to a CPU") {
  on_both both;
  const auto x = to(both.random({3, 3}, float32), gpu(0));
  CHECK_THROWS_WITH(linalg::expm(x), Catch::Contains("expm: not possible on gpu:0: copy the "
                                                     "matrices to a CPU: to(x, cpu())"));
  both.check([&](const auto& at) { return linalg::matrix_power(at(to(x, cpu())), 3); });
  both.check([&](const auto& at) { return linalg::matrix_norm(at(to(x, cpu()))); });
}
