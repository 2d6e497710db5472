// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cpu/blas.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"
#include "troupe/devices/cpu/lapack/linalg_kernels.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr double least_work = 200'000;  // products that are worth a chunk: some 20 us

/// Returns the number of matrices that a chunk computes.
std::int64_t matrices_of_chunk(const kernel_args& args) noexcept {
  const array& x = args.inputs[0];
  const auto rows = static_cast<double>(x.shape[x.rank - 2]);
  const auto columns = static_cast<double>(x.shape[x.rank - 1]);
  const auto work = 1000 + rows * columns * std::min(rows, columns);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(least_work / work));
}

std::int64_t chunks(const kernel_args& args) {
  if (args.outputs[0].size() == 0) return 0;
  const auto each = matrices_of_chunk(args);
  return (count_matrices(args.inputs[0]) + each - 1) / each;
}

/// Gives the results for matrices without elements: the determinant is 1, and R and orthogonal
/// factors that are square are an identity.
template <class T>
void fill_of_nothing(const kernel_args& args, linalg_op op, std::int64_t index) noexcept {
  const array& x = args.inputs[0];
  const auto rows = x.shape[x.rank - 2], columns = x.shape[x.rank - 1];
  T* out = result_of<T>(args, index);
  const auto put_identity = [&](std::int64_t n) {
    std::fill(out, out + n * n, T(0));
    for (std::int64_t i = 0; i < n; ++i) out[i * n + i] = 1;
    out += n * n;
  };
  if (op == linalg_op::det) out[0] = 1;
  if (op == linalg_op::slogdet) {
    out[0] = 1;
    out[1] = 0;
  }
  if (op == linalg_op::lu) {
    for (std::int64_t i = 0; i < rows; ++i) out[i] = static_cast<part_of<T>>(i);
  }
  if (op == linalg_op::qr || op == linalg_op::svd) put_identity(rows);
  if (op == linalg_op::svd) put_identity(columns);
}

template <class T, linalg_op Op, void (*One)(const kernel_args&, std::int64_t)>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& x = args.inputs[0];
  const bool empty = x.shape[x.rank - 2] == 0 || x.shape[x.rank - 1] == 0;
  const auto each = matrices_of_chunk(args);
  const auto end = std::min(count_matrices(x), last * each);
  for (auto i = first * each; i < end; ++i) {
    if (empty) fill_of_nothing<T>(args, Op, i);
    else One(args, i);
  }
}

template <class T>
const kernel* choose(linalg_op op) noexcept {
  switch (op) {
#define TROUPE_FUNCTION(name)                                                             \
  case linalg_op::name: {                                                                 \
    static constexpr kernel k{.run = run<T, linalg_op::name, name<T>>, .chunks = chunks}; \
    return &k;                                                                            \
  }
    TROUPE_FUNCTION(cholesky)
    TROUPE_FUNCTION(solve)
    TROUPE_FUNCTION(solve_triangular)
    TROUPE_FUNCTION(inv)
    TROUPE_FUNCTION(det)
    TROUPE_FUNCTION(slogdet)
    TROUPE_FUNCTION(lu)
    TROUPE_FUNCTION(qr)
    TROUPE_FUNCTION(svd)
    TROUPE_FUNCTION(svdvals)
    TROUPE_FUNCTION(eigh)
    TROUPE_FUNCTION(eigvalsh)
    TROUPE_FUNCTION(expm)
    TROUPE_FUNCTION(eig)
    TROUPE_FUNCTION(eigvals)
#undef TROUPE_FUNCTION
  }
  return nullptr;
}

}  // namespace

const kernel* linalg_kernel(linalg_op op, dtype type) noexcept {
  if (!is_inexact(type) || is_narrow(type)) return nullptr;
  prepare_blas();
  if (is_complex(type))
    return visit_complex(type, [op](auto zero) { return choose<decltype(zero)>(op); });
  return type == float32 ? choose<float>(op) : choose<double>(op);
}

}  // namespace troupe::cpu_kernels
