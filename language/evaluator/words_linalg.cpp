// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/linalg/linalg.hpp"
#include "troupe/tensor/linalg/matrices.hpp"

namespace troupe::language {

namespace {

std::optional<double> tolerance(const arguments& a, std::size_t i) {
  return a.has(i) ? std::optional(a.real(i)) : std::nullopt;
}

linalg::norm_order order_of(const arguments& a, std::size_t i, const linalg::norm_order& fallback) {
  if (!a.has(i)) return fallback;
  if (const auto* name = std::get_if<std::string>(&a.any(i))) return std::string_view(*name);
  if (const auto* number = std::get_if<scalar>(&a.any(i))) return number->real();
  throw error(
      std::string(a.of().name) + ": order wants a number or a text, not " + describe(a.any(i)),
      a.where());
}

template <tensor (*Function)(const tensor&, caller)>
dynamic_value of_matrix(const arguments& a) {
  return Function(a.array(0), a.where());
}

template <auto Function>
dynamic_value parts_of_matrix(const arguments& a) {
  return as_list(Function(a.array(0), a.where()).all());
}

template <auto Function>
dynamic_value parts_with_flag(const arguments& a) {
  return as_list(Function(a.array(0), a.flag(1), a.where()).all());
}

template <tensor (*Function)(const tensor&, std::optional<double>, caller)>
dynamic_value with_tolerance(const arguments& a) {
  return Function(a.array(0), tolerance(a, 1), a.where());
}

linalg::triangular_options triangle_of(const arguments& a) {
  return {.upper = a.flag(2), .transposed = a.flag(3), .unit_diagonal = a.flag(4)};
}

/// Gives the parts of a result as one array, as programs compute them.
template <linalg_op Op>
dynamic_value row_of(const arguments& a) {
  const bool complete = a.count() > 1 && a.flag(1);
  return linalg::detail::submit(Op, linalg::detail::as_matrices(a.of().name, a.array(0), a.where()),
                                {.complete = complete}, a.where());
}

std::vector<word> factor_words() {
  using namespace linalg;
  return {
      {"cholesky", "linalg", "x, upper: flag = false",
       "The lower triangle L with L @ L.T = x, or the upper one U with U.T @ U = x.",
       [](const arguments& a) -> dynamic_value {
         return cholesky(a.array(0), a.flag(1), a.where());
       },
       "linalg::cholesky"},
      {"lu", "linalg", "x", "The list [P, L, U] with P @ L @ U = x.", parts_of_matrix<lu>,
       "linalg::lu"},
      {"qr", "linalg", "x, complete: flag = false",
       "The list [Q, R] with Q @ R = x: Q has orthonormal columns, as many as rows if complete.",
       parts_with_flag<qr>, "linalg::qr"},
      {"svd", "linalg", "x, full_matrices: flag = true",
       "The list [U, s, Vh] with U @ diag(s) @ Vh = x, the greatest singular values first.",
       [](const arguments& a) -> dynamic_value {
         return as_list(svd(a.array(0), !a.has(1) || a.flag(1), a.where()).all());
       },
       "linalg::svd"},
      {"svdvals", "linalg", "x", "The singular values, the greatest first.", of_matrix<svdvals>,
       "linalg::svdvals"},
      {"eigh", "linalg", "x",
       "The list [w, v] of a symmetric or Hermitian matrix: x @ v = v * w, the least eigenvalue "
       "first.",
       parts_of_matrix<eigh>, "linalg::eigh"},
      {"eigvalsh", "linalg", "x", "The eigenvalues of a symmetric matrix, the least first.",
       of_matrix<eigvalsh>, "linalg::eigvalsh"},
      {"eig", "linalg", "x",
       "The list [w, v] of any square matrix, in complex numbers: x @ v = v * w.",
       parts_of_matrix<eig>, "linalg::eig"},
      {"eigvals", "linalg", "x", "The eigenvalues of a square matrix, complex numbers.",
       of_matrix<eigvals>, "linalg::eigvals"},
  };
}

std::vector<word> system_words() {
  using namespace linalg;
  return {
      {"solve", "linalg", "a, b", "The solution x of a @ x = b, for a vector or for matrices.",
       [](const arguments& a) -> dynamic_value { return solve(a.array(0), a.array(1), a.where()); },
       "linalg::solve"},
      {"solve_triangular", "linalg",
       "a, b, upper: flag = false, transposed: flag = false, unit_diagonal: flag = false",
       "The same where a is a triangle.",
       [](const arguments& a) -> dynamic_value {
         return solve_triangular(a.array(0), a.array(1), triangle_of(a), a.where());
       },
       "linalg::solve_triangular"},
      {"inv", "linalg", "x", "The inverse of a square matrix.", of_matrix<inv>, "linalg::inv"},
      {"pinv", "linalg", "x, rtol: number = none",
       "The pseudo-inverse: singular values below rtol times the greatest count as 0.",
       with_tolerance<pinv>, "linalg::pinv"},
      {"lstsq", "linalg", "a, b, rtol: number = none",
       "The list [x, residuals, rank, singular values] for the least length of a @ x - b.",
       [](const arguments& a) -> dynamic_value {
         return as_list(lstsq(a.array(0), a.array(1), tolerance(a, 2), a.where()).all());
       },
       "linalg::lstsq"},
  };
}

std::vector<word> number_words() {
  using namespace linalg;
  return {
      {"det", "linalg", "x", "The determinant.", of_matrix<det>, "linalg::det"},
      {"slogdet", "linalg", "x",
       "The list [sign, log(abs(det))], where the determinant is too large or too small.",
       parts_of_matrix<slogdet>, "linalg::slogdet"},
      {"trace", "linalg", "x, offset: integer = 0", "The sum of a diagonal of the last two axes.",
       [](const arguments& a) -> dynamic_value {
         return trace(a.array(0), a.integer(1), a.where());
       },
       "linalg::trace"},
      {"matrix_rank", "linalg", "x, rtol: number = none",
       "How many singular values are above rtol times the greatest.", with_tolerance<matrix_rank>,
       "linalg::matrix_rank"},
      {"vector_norm", "linalg", "x, axis: axes = none, keepdims: flag = false, order: number = 2",
       "sum(abs(x) ** order) ** (1 / order), along axes; also for 0 and infinity.",
       [](const arguments& a) -> dynamic_value {
         return vector_norm(a.array(0), a.axes(1), a.flag(2), a.real(3, 2), a.where());
       },
       "linalg::vector_norm"},
      {"matrix_norm", "linalg", "x, keepdims: flag = false, order: any = \"fro\"",
       "The norm of a matrix: \"fro\", \"nuc\", 1, -1, 2, -2, or infinity.",
       [](const arguments& a) -> dynamic_value {
         return matrix_norm(a.array(0), a.flag(1), order_of(a, 2, "fro"), a.where());
       },
       "linalg::matrix_norm"},
      {"cond", "linalg", "x, order: any = 2",
       "matrix_norm(x) * matrix_norm(inv(x)): how much errors can grow.",
       [](const arguments& a) -> dynamic_value {
         return cond(a.array(0), order_of(a, 1, 2), a.where());
       },
       "linalg::cond"},
  };
}

std::vector<word> power_words() {
  using namespace linalg;
  return {
      {"matrix_power", "linalg", "x, times: integer",
       "The product of a square matrix with itself, so many times.",
       [](const arguments& a) -> dynamic_value {
         return matrix_power(a.array(0), a.integer(1), a.where());
       },
       "linalg::matrix_power"},
      {"expm", "linalg", "x", "The exponential of a square matrix.", of_matrix<expm>,
       "linalg::expm"},
      {"multi_dot", "linalg", "arrays: arrays",
       "The product of matrices in the order that needs the least work: multi_dot([x, y, z]).",
       [](const arguments& a) -> dynamic_value { return multi_dot(a.arrays(0), a.where()); },
       "linalg::multi_dot"},
      {"matrix_transpose", "linalg", "x", "The last two axes change places.",
       of_matrix<matrix_transpose>, "linalg::matrix_transpose"},
  };
}

std::vector<word> row_words() {
  using namespace linalg;
  return {
      {"eig_row", "adjoint", "x", "The results of eig in one row; the eigenvectors lie in rows.",
       row_of<linalg_op::eig>},
      {"slogdet_row", "adjoint", "x", "The results of slogdet in one row for each matrix.",
       row_of<linalg_op::slogdet>},
      {"lu_row", "adjoint", "x", "The order of rows and the factors of lu in one row.",
       row_of<linalg_op::lu>},
      {"qr_row", "adjoint", "x, complete: flag = false", "The factors of qr in one row.",
       row_of<linalg_op::qr>},
      {"svd_row", "adjoint", "x, full_matrices: flag = false", "The parts of svd in one row.",
       row_of<linalg_op::svd>},
      {"eigh_row", "adjoint", "x", "The results of eigh in one row; the eigenvectors lie in rows.",
       row_of<linalg_op::eigh>},
  };
}

}  // namespace

std::vector<word> linalg_words() {
  std::vector<word> all;
  for (auto&& some : {factor_words(), system_words(), number_words(), power_words(), row_words()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace troupe::language
