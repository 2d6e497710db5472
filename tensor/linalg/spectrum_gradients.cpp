// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/tensor/linalg/gradients.hpp"
#include "troupe/tensor/linalg/matrices.hpp"
#include "troupe/tensor/linalg/spectra.hpp"
#include "troupe/tensor/linalg/systems.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/diagonals.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reshape.hpp"

namespace troupe::linalg::detail {

namespace {

/// Returns x_j - x_i as element i, j, and 1 where they are equal: on the diagonal, and for values
/// that occur twice, whose vectors have no gradient.
tensor differences(const tensor& x) {
  const auto apart = expand_dims(x, -2) - expand_dims(x, -1);
  return where(equal(apart, 0.), 1., apart);
}

/// Returns the matrices with these diagonals.
tensor diagonal_matrices(const tensor& x) {
  const auto n = x.shape()[x.rank() - 1];
  return eye(n, {}, 0, {.dtype = x.dtype(), .device = x.device()}) * expand_dims(x, -2);
}

/// Returns X - X', without its diagonal, which is imaginary and belongs to the angles of vectors.
tensor antisymmetric(const tensor& x) {
  const auto both = x - adjoint(x);
  if (!is_complex(x.dtype())) return both;
  return both * (1. - eye(rows_of(x), {}, 0, {.dtype = real_of(x.dtype()), .device = x.device()}));
}

}  // namespace

// gA = V (diag(gw) + V' gV / (w_j - w_i)) V', made symmetric: both triangles get the mean.
tensor eigh_gradient(const gradient_terms& t) {
  const auto& dims = t.types[0].dims;
  const auto n = dims[dims.rank() - 1];
  const auto given = conj(t.arriving);
  parts found(t.result), arriving(given);
  const auto values = real(found.take({n})), rows = found.take({n, n});
  const auto of_values = real(arriving.take({n})), of_rows = arriving.take({n, n});
  const auto vectors = transposed(rows), turned = conj(rows);
  const auto turning = antisymmetric(matmul(turned, transposed(of_rows))) / differences(values);
  return conj(matmul(matmul(vectors, diagonal_matrices(of_values) + turning * 0.5), turned));
}

tensor eigvalsh_gradient(const gradient_terms& t) {
  const auto vectors = eigh(t.inputs[0]).eigenvectors;
  return conj(matmul(vectors * expand_dims(t.arriving, -2), adjoint(vectors)));
}

// gA = U (J S + S K + diag(gs)) V' + (1 - U U') gU S^-1 V' + U S^-1 gV' (1 - V V'), where J and K
// are U' gU - gU' U and V' gV - gV' V, divided by s_j^2 - s_i^2.
tensor svd_gradient(const gradient_terms& t) {
  const auto& dims = t.types[0].dims;
  const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
  if (t.attributes.as<linalg_attributes>().complete && rows != columns)
    refuse_gradient("svd: with full_matrices only square matrices have a gradient, not " +
                    to_string(t.types[0]));
  const auto steps = std::min(rows, columns);
  const auto given = conj(t.arriving);
  parts found(t.result), arriving(given);
  const auto u = found.take({rows, steps}), s = real(found.take({steps})),
             vh = found.take({steps, columns});
  const auto of_u = arriving.take({rows, steps}), of_s = real(arriving.take({steps})),
             of_vh = arriving.take({steps, columns});
  const auto across = expand_dims(s, -2), down = expand_dims(s, -1);
  // Vectors of a singular value 0 have no gradient.
  const auto divisors = where(equal(s, 0.), 1., s);
  const auto apart = differences(s * s);
  const auto turned_u = matmul(adjoint(u), of_u), turned_v = matmul(of_vh, adjoint(vh));
  auto inner = antisymmetric(turned_u) / apart * across +
               down * (antisymmetric(adjoint(turned_v)) / apart) + diagonal_matrices(of_s);
  // Both vectors of a singular value turn by one angle.
  if (is_complex(u.dtype()))
    inner = inner + diagonal_matrices(complex(0., imag(diagonal(turned_u, 0, -2, -1)) / divisors));
  auto out = matmul(matmul(u, inner), vh);
  if (rows > steps)
    out = out + matmul((of_u - matmul(u, turned_u)) / expand_dims(divisors, -2), vh);
  if (columns > steps)
    out = out + matmul(u, (of_vh - matmul(turned_v, vh)) / expand_dims(divisors, -1));
  return conj(out);
}

// gA = V^-1' (diag(gw) + (V' gV - V' V diag(re(V' gV))) / conj(w_j - w_i)) V', where the diagonal
// is gw alone: the vectors keep their length.
tensor eig_gradient(const gradient_terms& t) {
  const auto& dims = t.types[0].dims;
  const auto n = dims[dims.rank() - 1];
  const auto given = conj(t.arriving);
  parts found(t.result), arriving(given);
  const auto values = found.take({n}), turned = conj(found.take({n, n}));
  const auto of_values = arriving.take({n}), of_vectors = transposed(arriving.take({n, n}));
  const auto along = matmul(turned, of_vectors);
  const auto kept =
      matmul(turned, adjoint(turned)) * expand_dims(real(diagonal(along, 0, -2, -1)), -2);
  const auto others =
      1. - eye(n, {}, 0, {.dtype = real_of(along.dtype()), .device = along.device()});
  const auto inner =
      diagonal_matrices(of_values) + others * ((along - kept) / conj(differences(values)));
  return conj(solve(turned, matmul(inner, turned)));
}

tensor eigvals_gradient(const gradient_terms& t) {
  const auto turned = transposed(eig(t.inputs[0]).eigenvectors);
  return solve(turned, expand_dims(t.arriving, -1) * turned);
}

tensor svdvals_gradient(const gradient_terms& t) {
  const auto found = svd(t.inputs[0], false);
  return conj(matmul(found.u * expand_dims(t.arriving, -2), found.vh));
}

}  // namespace troupe::linalg::detail
