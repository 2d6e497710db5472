// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <utility>

#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jvp.hpp"
#include "troupe/tensor/batching/vmap.hpp"
#include "troupe/tensor/linalg/linalg.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/ops/complex.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"
#include "troupe/tests/tensor/linalg/matrices.hpp"

namespace troupe::testing {

using namespace linalg;
using linalg::detail::adjoint;
using linalg::detail::transposed;

namespace {

using pair_of_reals = std::complex<double>;

/// Returns random complex matrices far from singular ones.
tensor complex_matrices(const shape& dims, dtype element) {
  return complex(regular_matrices(dims, real_of(element)),
                 normal(dims, 0, 1, {.dtype = real_of(element)}));
}

tensor hermitian(const tensor& x) { return x + adjoint(x); }

bool near_pairs(const tensor& x, const tensor& wanted) {
  return is_complex(x.dtype()) == is_complex(wanted.dtype()) && near_all(real(x), real(wanted)) &&
         near_all(imag(x), imag(wanted));
}

bool unitary(const tensor& x) {
  const auto n = x.shape()[-1];
  return near_pairs(matmul(adjoint(x), x), broadcast_to(eye(n, {}, 0, {.dtype = x.dtype()}),
                                                        matmul(adjoint(x), x).shape()));
}

/// Makes a real number of everything in an array.
tensor one_number(const tensor& x) {
  const auto weights = sin(arange(1, static_cast<double>(x.size()) + 1, 1, {.dtype = float64}));
  return sum(real(flatten(x)) * weights) + sum(imag(flatten(x)) * weights * weights);
}

}  // namespace

TEST_CASE("systems and determinants of complex matrices are as those of real ones") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  for (const auto& dims : {shape{1, 1}, shape{5, 5}, shape{70, 70}, shape{2, 3, 4, 4}}) {
    CAPTURE(to_string(dims), name(element));
    const auto n = dims[dims.rank() - 1];
    const auto a = complex_matrices(dims, element), b = complex_matrices(dims, element);
    const auto one = broadcast_to(eye(n, {}, 0, {.dtype = element}), dims);
    CHECK(near_pairs(matmul(a, solve(a, b)), b));
    CHECK(near_pairs(matmul(a, inv(a)), one));
    CHECK(near_pairs(matmul(matrix_power(a, -2), matmul(a, a)), one));
    CHECK(near_pairs(matmul(tril(a), solve_triangular(a, b)), b));
    CHECK(near_pairs(
        matmul(transposed(triu(a)), solve_triangular(a, b, {.upper = true, .transposed = true})),
        b));
    const auto [sign, logarithm] = slogdet(a);
    CHECK(sign.dtype() == element);
    CHECK(logarithm.dtype() == real_of(element));
    CHECK(near_all(abs(sign), list(static_cast<std::size_t>(sign.size()), 1)));
    if (n < 10) CHECK(near_pairs(sign * exp(logarithm), det(a)));
    CHECK(near_pairs(slogdet(adjoint(a)).sign, conj(sign)));
  }
}

TEST_CASE("complex matrices are products of simpler ones") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  for (const auto& dims :
       {shape{1, 1}, shape{5, 5}, shape{7, 3}, shape{3, 7}, shape{60, 40}, shape{2, 3, 4}}) {
    CAPTURE(to_string(dims), name(element));
    const auto x = complex_matrices(dims, element);
    const auto factors = lu(x);
    CHECK(near_pairs(matmul(matmul(factors.p, factors.l), factors.u), x));
    for (const bool complete : {false, true}) {
      const auto [q, r] = qr(x, complete);
      CHECK(near_pairs(matmul(q, r), x));
      CHECK(unitary(q));
      CHECK(near_pairs(triu(r), r));
      const auto found = svd(x, complete);
      const auto n = found.s.shape()[-1];
      CHECK(found.s.dtype() == real_of(element));
      CHECK(near_pairs(
          matmul(slice(found.u, -1, 0, n) * expand_dims(found.s, -2), slice(found.vh, -2, 0, n)),
          x));
      CHECK(unitary(found.u));
      CHECK(unitary(adjoint(found.vh)));
      CHECK(near_all(svdvals(x), found.s));
    }
    const auto p = pinv(x);
    CHECK(near_pairs(matmul(matmul(x, p), x), x));
    CHECK(near_pairs(adjoint(matmul(x, p)), matmul(x, p)));
    CHECK(numbers(matrix_rank(x)) == list(static_cast<std::size_t>(matrix_rank(x).size()),
                                          static_cast<double>(svdvals(x).shape()[-1])));
  }
  for (const auto& dims : {shape{1, 1}, shape{6, 6}, shape{70, 70}, shape{2, 3, 4, 4}}) {
    CAPTURE(to_string(dims), name(element));
    const auto x = complex_matrices(dims, element);
    const auto positive = matmul(x, adjoint(x));
    const auto lower = cholesky(tril(positive)), upper = cholesky(triu(positive), true);
    CHECK(near_pairs(matmul(lower, adjoint(lower)), positive));
    CHECK(near_pairs(matmul(adjoint(upper), upper), positive));
    const auto [w, v] = eigh(tril(hermitian(x)));
    CHECK(w.dtype() == real_of(element));
    CHECK(near_pairs(matmul(hermitian(x), v), v * expand_dims(w, -2)));
    CHECK(unitary(v));
    CHECK(near_all(eigvalsh(hermitian(x)), w));
  }
}

TEST_CASE("eig finds complex eigenvalues of any square matrix") {
  test_engine e;
  CHECK(near_all(imag(eigvals(tensor{{0., -2.}, {2., 0.}})), list{2, -2}));
  CHECK(eigvals(tensor{{0, 1}, {1, 0}}).dtype() == complex128);
  CHECK(eigvals(ones({2, 2}, {.dtype = float16})).dtype() == complex64);
  for (const auto element : {float32, float64, complex64, complex128}) {
    for (const auto& dims : {shape{1, 1}, shape{2, 2}, shape{7, 7}, shape{40, 40},
                             shape{2, 3, 5, 5}, shape{30, 3, 3}}) {
      CAPTURE(to_string(dims), name(element));
      const auto x = is_complex(element) ? complex(normal(dims, 0, 1, {.dtype = real_of(element)}),
                                                   normal(dims, 0, 1, {.dtype = real_of(element)}))
                                         : normal(dims, element);
      const auto [w, v] = eig(x);
      CHECK(w.dtype() == complex_of(element));
      CHECK(near_pairs(matmul(astype(x, w.dtype()), v), v * expand_dims(w, -2)));
      CHECK(near_all(vector_norm(v, -2), list(static_cast<std::size_t>(w.size()), 1)));
      CHECK(near_pairs(sum(eigvals(x), -1), astype(linalg::trace(x), w.dtype())));
    }
  }
  CHECK(type_text(eigvals(zeros({0, 3, 3}))) == "complex64[0,3]");
  CHECK(type_text(eig(zeros({2, 0, 0})).eigenvectors) == "complex64[2,0,0]");
  CHECK_THROWS_WITH(eig(ones({2, 3})), Catch::Matchers::Contains("eig: not a square matrix"));
  CHECK(failure_of(eigvals(full({2, 2}, NAN))).find("not finite") != std::string::npos);
  const auto x = normal({4, 3, 3}, float64);
  CHECK(near_pairs(vmap([](const tensor& a) { return eigvals(a); })(x), eigvals(x)));
}

TEST_CASE("norms, exponentials and least squares of complex matrices") {
  test_engine e;
  const auto element = GENERATE(complex64, complex128);
  const auto x = complex_matrices({5, 3}, element), b = complex_matrices({5, 2}, element);
  CHECK(near_all(matrix_norm(x, false, "nuc"), sum(svdvals(x))));
  CHECK(near_all(matrix_norm(x, false, 1), max(sum(abs(x), 0))));
  CHECK(near_all(vector_norm(x, {}, false, 3), power(sum(power(abs(x), 3)), 1. / 3)));
  CHECK(vector_norm(x, {}, false, 0).dtype() == real_of(element));
  const auto found = lstsq(x, b);
  CHECK(near_pairs(matmul(adjoint(x), matmul(x, found.x)), matmul(adjoint(x), b)));
  CHECK(found.residuals.dtype() == real_of(element));
  for (const double size : {0.1, 1., 10.}) {
    const auto a = hermitian(complex_matrices({6, 6}, element)) * (size / 10);
    const auto [w, v] = eigh(a);
    CHECK(near_pairs(expm(a), matmul(v * expand_dims(exp(w), -2), adjoint(v))));
    const auto turn = expm(a * pair_of_reals(0, 1));
    CHECK(unitary(turn));
  }
}

TEST_CASE("gradients of complex linear algebra point uphill") {
  test_engine e;
  using function = std::function<tensor(const tensor&)>;
  const auto positive = [](const tensor& z) {
    return matmul(z, adjoint(z)) + eye(z.shape()[0], {}, 0, {.dtype = z.dtype()});
  };
  const std::vector<std::pair<std::string, function>> all = {
      {"solve", [](const tensor& z) { return one_number(solve(z, z * z)); }},
      {"solve_triangular",
       [](const tensor& z) {
         return one_number(solve_triangular(z, z * z) +
                           solve_triangular(z, conj(z), {.upper = true, .transposed = true}));
       }},
      {"inv", [](const tensor& z) { return one_number(inv(z)); }},
      {"det", [](const tensor& z) { return one_number(det(z)); }},
      {"slogdet",
       [](const tensor& z) {
         const auto [sign, logarithm] = slogdet(z);
         return one_number(sign * sign) + logarithm;
       }},
      {"cholesky", [&](const tensor& z) { return one_number(cholesky(positive(z))); }},
      {"cholesky upper", [&](const tensor& z) { return one_number(cholesky(positive(z), true)); }},
      {"lu", [](const tensor& z) { return one_number(lu(z).l) + one_number(lu(z).u); }},
      {"qr", [](const tensor& z) { return one_number(qr(z).q) + one_number(qr(z).r); }},
      {"qr tall",
       [](const tensor& z) {
         return one_number(qr(slice(z, 1, 0, 2)).q) + one_number(qr(slice(z, 1, 0, 2)).r);
       }},
      {"qr wide",
       [](const tensor& z) {
         return one_number(qr(slice(z, 0, 0, 2)).q) + one_number(qr(slice(z, 0, 0, 2)).r);
       }},
      {"eigvalsh", [&](const tensor& z) { return one_number(eigvalsh(positive(z))); }},
      {"eigh",
       [&](const tensor& z) {
         const auto [w, v] = eigh(positive(z));
         return one_number(matmul(v * expand_dims(sin(w), -2), adjoint(v)));
       }},
      {"svdvals", [](const tensor& z) { return one_number(svdvals(z)); }},
      {"svd",
       [](const tensor& z) {
         const auto [u, s, vh] = svd(z);
         return one_number(matmul(u * expand_dims(sin(s), -2), vh));
       }},
      {"svd tall",
       [](const tensor& z) {
         const auto [u, s, vh] = svd(slice(z, 1, 0, 2), false);
         return one_number(matmul(u * expand_dims(sin(s), -2), vh));
       }},
      {"svd wide",
       [](const tensor& z) {
         const auto [u, s, vh] = svd(slice(z, 0, 0, 2), false);
         return one_number(matmul(u * expand_dims(sin(s), -2), vh));
       }},
      {"eigvals", [](const tensor& z) { return one_number(sum(exp(eigvals(z)))); }},
      {"eig",
       [](const tensor& z) {
         const auto [w, v] = eig(z);
         return one_number(matmul(v * expand_dims(sin(w), -2), inv(v))) +
                sum(square(abs(v)) * expand_dims(arange(3., float64), -1) * abs(expand_dims(w, 0)));
       }},
      {"pinv", [](const tensor& z) { return one_number(pinv(slice(z, 1, 0, 2))); }},
      {"lstsq", [](const tensor& z) { return one_number(lstsq(slice(z, 1, 0, 2), z).x); }},
      {"expm", [](const tensor& z) { return one_number(expm(z * 0.3)); }},
      {"nuclear norm", [](const tensor& z) { return matrix_norm(z, false, "nuc"); }},
  };
  const auto x = complex_matrices({3, 3}, complex128) * 0.5;
  const auto given = x.to_vector<pair_of_reals>();
  for (const auto& [name, f] : all) {
    INFO(name);
    const auto found = grad(f)(x);
    CHECK(found.dtype() == complex128);
    const auto slopes = found.to_vector<pair_of_reals>();
    constexpr double h = 1e-6;
    const auto value = [&](std::size_t k, pair_of_reals step) {
      auto moved = given;
      moved[k] += step;
      return f(from_data(moved, {3, 3})).item();
    };
    for (std::size_t k = 0; k < given.size(); ++k) {
      const pair_of_reals wanted((value(k, h) - value(k, -h)) / (2 * h),
                                 (value(k, {0, h}) - value(k, {0, -h})) / (2 * h));
      CHECK(std::abs(slopes[k] - wanted) < 1e-5 * std::max(1., std::abs(wanted)));
    }
    const auto direction = complex(normal({3, 3}, float64), normal({3, 3}, float64));
    CHECK(jvp(f, x, direction).second.item() ==
          Approx(real(sum(conj(found) * direction)).item()).epsilon(1e-6));
  }
}

TEST_CASE("the gradient of eig at a real matrix with complex eigenvalues is real") {
  test_engine e;
  const tensor x = {{1., -2., 0.5}, {3., 0.5, 0.25}, {0.125, 1., -1.}};
  CHECK(max(abs(imag(eigvals(x)))).item() > 1);
  const auto f = [](const tensor& a) {
    const auto [w, v] = eig(a);
    return sum(abs(w)) + sum(square(abs(v)) * expand_dims(arange(3., float64), -1)) +
           sum(imag(w) * imag(w));
  };
  const auto found = grad(f)(x);
  CHECK(found.dtype() == float64);
  const auto given = numbers(x);
  for (std::size_t k = 0; k < given.size(); ++k) {
    const auto value = [&](double step) {
      auto moved = given;
      moved[k] += step;
      return f(from_data(moved, {3, 3})).item();
    };
    CHECK(numbers(found)[k] == Approx((value(1e-6) - value(-1e-6)) / 2e-6).margin(1e-6));
  }
}

}  // namespace troupe::testing
