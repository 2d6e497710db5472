// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cpu/lapack/linalg_kernels.hpp"

namespace troupe::cpu_kernels {

// A matrix that lies row by row is its transpose to LAPACK. For cholesky that is the other
// triangle; LU and QR factors want it column by column.

template <class T>
void cholesky(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  T* const out = result_of<T>(args, index);
  const int n = lapack_size(a.rows);
  copy_rows(a, out);
  int info = 0;
  lapack<T>()->potrf("U", &n, out, &n, &info, 1);
  // OpenBLAS lets NaN pass.
  for (std::int64_t i = 0; i < a.rows && info == 0; ++i)
    info = !(real_part(out[i * a.rows + i]) > 0);
  if (info != 0) refuse_matrix(args, index, matrix_not_definite);
  for (std::int64_t i = 0; i < a.rows; ++i)
    std::fill(out + i * a.rows + i + 1, out + (i + 1) * a.rows, T(0));
}

template <class T>
void lu(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  T* const order = result_of<T>(args, index);
  T* const factors = order + a.rows;
  const int rows = lapack_size(a.rows), columns = lapack_size(a.columns);
  const auto steps = std::min(a.rows, a.columns);
  room own(bytes<int>(steps), 1);
  int* const swaps = own.take<int>(steps);
  copy_rows(a.transposed(), factors);
  int info = 0;  // a singular matrix has factors, too
  lapack<T>()->getrf(&rows, &columns, factors, &rows, swaps, &info);
  for (std::int64_t i = 0; i < a.rows; ++i) order[i] = static_cast<part_of<T>>(i);
  for (std::int64_t i = 0; i < steps; ++i) std::swap(order[i], order[swaps[i] - 1]);
}

template <class T>
void qr(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  const auto steps = std::min(a.rows, a.columns);
  const auto wide = linalg_attributes_of(args).complete ? a.rows : steps;  // columns of Q
  T* const q = result_of<T>(args, index);
  T* const r = q + a.rows * wide;
  const int rows = lapack_size(a.rows), columns = lapack_size(a.columns),
            count = lapack_size(steps), width = lapack_size(wide);
  constexpr std::int64_t block = 64;
  const int size = lapack_size(std::max(a.columns, wide) * block);
  const bool in_place = a.columns <= wide;
  room own(bytes<T>(size + steps + (in_place ? 0 : a.rows * a.columns)), 3);
  T* const work = own.take<T>(size);
  T* const tau = own.take<T>(steps);
  T* const factors = in_place ? q : own.take<T>(a.rows * a.columns);
  copy_rows(a.transposed(), factors);
  const lapack<T> library;
  int info = 0;
  library->geqrf(&rows, &columns, factors, &rows, tau, work, &size, &info);
  for (std::int64_t i = 0; i < wide; ++i) {
    const auto zeros = std::min(i, a.columns);
    std::fill(r + i * a.columns, r + i * a.columns + zeros, T(0));
    for (std::int64_t j = zeros; j < a.columns; ++j) r[i * a.columns + j] = factors[j * a.rows + i];
  }
  library->orgqr(&rows, &width, &count, factors, &rows, tau, work, &size, &info);
  if (!in_place) std::copy(factors, factors + a.rows * wide, q);
}

#define TROUPE_INSTANTIATE(name)                                               \
  template void name<float>(const kernel_args&, std::int64_t);                 \
  template void name<double>(const kernel_args&, std::int64_t);                \
  template void name<complex_number<float>>(const kernel_args&, std::int64_t); \
  template void name<complex_number<double>>(const kernel_args&, std::int64_t);
TROUPE_INSTANTIATE(cholesky)
TROUPE_INSTANTIATE(lu)
TROUPE_INSTANTIATE(qr)
#undef TROUPE_INSTANTIATE

}  // namespace troupe::cpu_kernels
