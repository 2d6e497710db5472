// SPDX-License-Identifier: MIT
#include <limits>

#include "troupe/tensor/linalg/factors.hpp"
#include "troupe/tensor/linalg/gradients.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/products.hpp"
#include "troupe/tensor/linalg/systems.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::linalg::detail {

namespace {

/// Returns numbers, one for each matrix, as matrices of one element.
tensor as_factors(const tensor& x) { return expand_dims(expand_dims(x, -1), -1); }

double epsilon_of(dtype element) noexcept {
  return real_of(element) == float64 ? std::numeric_limits<double>::epsilon()
                                     : std::numeric_limits<float>::epsilon();
}

}  // namespace

// X = A^-1 B: gB = A^-1' gX and gA = -gB X'.

tensor solve_arriving(const gradient_terms& t) {
  return solve(transposed(t.inputs[0]), t.arriving);
}

tensor solve_matrix_gradient(const gradient_terms& t) {
  return -matmul(t.arriving, transposed(t.result));
}

tensor solve_side_gradient(const gradient_terms& t) { return t.arriving; }

// The same with a triangle of A.

tensor triangular_arriving(const gradient_terms& t) {
  const auto& given = t.attributes.as<linalg_attributes>();
  return solve_triangular(
      t.inputs[0], t.arriving,
      {.upper = given.upper, .transposed = !given.transposed, .unit_diagonal = given.unit});
}

tensor triangular_matrix_gradient(const gradient_terms& t) {
  const auto& given = t.attributes.as<linalg_attributes>();
  const auto whole = given.transposed ? matmul(t.result, transposed(t.arriving))
                                      : matmul(t.arriving, transposed(t.result));
  const int first = given.unit ? 1 : 0;
  return -(given.upper ? triu(whole, first) : tril(whole, -first));
}

tensor inv_gradient(const gradient_terms& t) {
  const auto turned = transposed(t.result);
  return -matmul(turned, matmul(t.arriving, turned));
}

// The cofactors: det(A) A^-1'. A pivot of 0 counts as one about as small as rounding, so singular
// matrices have theirs.
tensor det_gradient(const gradient_terms& t) {
  const auto& x = t.inputs[0];
  const auto n = columns_of(x);
  if (n == 0) return zeros_like(x);
  const auto factors = lu(x);
  const auto& u = factors.u;
  const auto unit = eye(n, {}, 0, {.dtype = u.dtype(), .device = u.device()});
  const auto sizes = abs(diagonal(u.detach(), 0, -2, -1));
  const auto greatest = max(sizes, -1, keepdims);
  const auto least = where(equal(greatest, 0.), 1., greatest) * epsilon_of(u.dtype());
  const auto upper = u + expand_dims(where(equal(sizes, 0.), least, 0.), -1) * unit;
  const auto of_upper = solve_triangular(upper, unit, {.upper = true, .transposed = true});
  const auto inverse =
      solve_triangular(factors.l, of_upper, {.transposed = true, .unit_diagonal = true});
  const auto singular = det(factors.p) * prod(diagonal(upper, 0, -2, -1), -1);
  const auto value = where(equal(t.result, 0.), singular, t.result);
  return as_factors(t.arriving * value) * matmul(factors.p, inverse);
}

// The logarithm of the determinant changes by the trace of A^-1 dA: its real part is the change of
// log(abs(det)), its imaginary part that of the sign's angle.
tensor slogdet_gradient(const gradient_terms& t) {
  const auto part = [](const tensor& x, int i) { return squeeze(slice(x, -1, i, i + 1), -1); };
  auto of_logarithm = part(t.arriving, 1);
  if (is_complex(t.types[0].element))
    of_logarithm = complex(real(of_logarithm), imag(part(t.arriving, 0) * part(t.result, 0)));
  return as_factors(of_logarithm) * transposed(inv(t.inputs[0]));
}

// The derivative of exp at A' in the direction gX is the upper right part of exp([A', gX; 0, A']).
// It is linear in gX, which is brought to the size of 1: a large one would hide A' from rounding.
tensor expm_gradient(const gradient_terms& t) {
  const auto n = columns_of(t.arriving);
  if (n == 0) return t.arriving;
  const auto greatest = max(abs(t.arriving.detach()), {-2, -1}, keepdims);
  const auto size = where(equal(greatest, 0.), 1., greatest);
  const auto turned = transposed(t.inputs[0]);
  const auto above = concatenate({turned, t.arriving / size}, -1);
  const auto below = concatenate({zeros_like(turned), turned}, -1);
  return slice(slice(expm(concatenate({above, below}, -2)), -2, 0, n), -1, n, 2 * n) * size;
}

}  // namespace troupe::linalg::detail
