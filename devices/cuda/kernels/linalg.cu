// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>

#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/kernels/linalg_factors.hpp"
#include "troupe/devices/cuda/kernels/linalg_spectra.hpp"
#include "troupe/devices/cuda/kernels/linalg_systems.hpp"

namespace troupe::cuda {

// One matrix after the other, each by calls of a library.

namespace {

using namespace linear_algebra;

/// Gives the results for a matrix without elements: the determinant is 1, and R and orthogonal
/// factors that are square are an identity.
template <class T>
void fill_of_nothing(const kernel_args& args, linalg_op op, std::int64_t index, stream& on) {
  const array& x = args.inputs[0];
  const auto rows = x.shape[x.rank - 2], columns = x.shape[x.rank - 1];
  T* const out = result_of<T>(args, index);
  const auto identity = [&](std::int64_t n, T* to) { for_each(on, n * n, put_identity<T>{n, to}); };
  if (op == linalg_op::det) identity(1, out);
  if (op == linalg_op::slogdet) for_each(on, 2, put_identity<T>{2, out});
  if (op == linalg_op::lu) for_each(on, 1, put_order<T>{nullptr, 0, rows, out});
  if (op == linalg_op::qr || op == linalg_op::svd) identity(rows, out);
  if (op == linalg_op::svd) identity(columns, out + rows * rows);
}

template <class T, linalg_op Op, void (*One)(one_matrix<T>&)>
void launch(const kernel_args& args, stream& on) {
  if (args.outputs[0].size() == 0) return;
  const array& x = args.inputs[0];
  const bool empty = x.shape[x.rank - 2] == 0 || x.shape[x.rank - 1] == 0;
  for (std::int64_t i = 0; i < count_matrices(x); ++i) {
    if (empty) {
      fill_of_nothing<T>(args, Op, i, on);
    } else {
      one_matrix<T> one(args, on, i, args.scratch);
      One(one);
    }
  }
}

/// The matrices follow one another, so they share the scratch memory.
template <class T, void (*One)(one_matrix<T>&)>
std::size_t scratch_bytes(const kernel_args& args, stream& on) {
  const array& x = args.inputs[0];
  if (args.outputs[0].size() == 0 || x.size() == 0) return 0;
  one_matrix<T> one(args, on, 0, nullptr);
  One(one);
  return one.room.bytes();
}

std::string explain(const kernel_args& args, const data_fault& fault) {
  return about_matrix(args.inputs[0], fault.index, facts_of(fault.happened));
}

template <class T>
const kernel* choose(linalg_op op) noexcept {
  switch (op) {
#define TROUPE_FUNCTION(name)                                                    \
  case linalg_op::name: {                                                        \
    static constexpr kernel k{.launch = launch<T, linalg_op::name, name<T>>,     \
                              .launch_scratch_bytes = scratch_bytes<T, name<T>>, \
                              .explain = explain};                               \
    return &k;                                                                   \
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
    TROUPE_FUNCTION(eig)
    TROUPE_FUNCTION(eigvals)
#undef TROUPE_FUNCTION
    case linalg_op::expm: break;
  }
  return nullptr;
}

}  // namespace

const kernel* linalg_kernel(linalg_op op, dtype type) noexcept {
  switch (type) {
    case dtype::float32: return choose<float>(op);
    case dtype::float64: return choose<double>(op);
    case dtype::complex64: return choose<complex_number<float>>(op);
    case dtype::complex128: return choose<complex_number<double>>(op);
    default: return nullptr;
  }
}

}  // namespace troupe::cuda
