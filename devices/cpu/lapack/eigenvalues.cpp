// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cpu/lapack/linalg_kernels.hpp"

namespace troupe::cpu_kernels {

// Eigenvalues of any square matrix are complex. LAPACK gives those of a real one in two parts, and
// of two that are conjugate the vector of the first as a pair of real ones.

namespace {

template <class T>
using complex_for = complex_number<part_of<T>>;

/// Finds the eigenvalues and, unless `rows` is null, puts the vectors that belong to them there as
/// rows.
template <class T>
void find_eigenvalues(const kernel_args& args, std::int64_t index, complex_for<T>* values,
                      complex_for<T>* rows) {
  using real = part_of<T>;
  constexpr bool pairs = is_complex_number<T>;
  const auto a = matrix_of<T>(args.inputs[0], index);
  const char* const job = rows == nullptr ? "N" : "V";
  const int n = lapack_size(a.rows);
  const auto elements = a.rows * a.rows;
  const lapack<T> library;
  int info = 0;
  const auto call = [&](T* from, [[maybe_unused]] T* re, [[maybe_unused]] T* im, T* vectors,
                        T* work, const int* size, [[maybe_unused]] real* reals) {
    if constexpr (pairs)
      library->geev("N", job, &n, from, &n, values, nullptr, &n, vectors, &n, work, size, reals,
                    &info, 1, 1);
    else
      library->geev("N", job, &n, from, &n, re, im, nullptr, &n, vectors, &n, work, size, &info, 1,
                    1);
  };
  T asked = 0;
  real asked_too = 0;
  const int question = -1;
  call(nullptr, nullptr, nullptr, nullptr, &asked, &question, &asked_too);
  const int size = lapack_work_size(static_cast<double>(real_part(asked)));
  const auto found = pairs || rows == nullptr ? 0 : elements;
  room own(bytes<T>(elements + size + found + 2 * a.rows) + bytes<real>(2 * a.rows), 5);
  T* const copy = own.take<T>(elements);
  T* const work = own.take<T>(size);
  T* vectors = own.take<T>(found);
  T* const parts = own.take<T>(2 * a.rows);
  real* const reals = own.take<real>(2 * a.rows);
  if constexpr (pairs) vectors = rows;
  copy_rows(a.transposed(), copy);
  if (!all_finite(copy, elements)) refuse_matrix(args, index, matrix_not_finite);
  call(copy, parts, parts + a.rows, vectors, work, &size, reals);
  if (info != 0) refuse_matrix(args, index, matrix_without_eigenvalues);
  if constexpr (!pairs) {
    for (std::int64_t k = 0; k < a.rows; ++k) values[k] = {parts[k], parts[a.rows + k]};
    for (std::int64_t k = 0; k < a.rows && rows != nullptr; ++k) {
      const bool two = values[k].im != 0 && k + 1 < a.rows;
      const T *re = vectors + k * a.rows, *im = re + a.rows;
      for (std::int64_t i = 0; i < a.rows; ++i) {
        rows[k * a.rows + i] = {re[i], two ? im[i] : T(0)};
        if (two) rows[(k + 1) * a.rows + i] = {re[i], -im[i]};
      }
      if (two) ++k;
    }
  }
}

}  // namespace

template <class T>
void eig(const kernel_args& args, std::int64_t index) {
  auto* const values = result_of<complex_for<T>>(args, index);
  find_eigenvalues<T>(args, index, values, values + matrix_of<T>(args.inputs[0], index).rows);
}

template <class T>
void eigvals(const kernel_args& args, std::int64_t index) {
  find_eigenvalues<T>(args, index, result_of<complex_for<T>>(args, index), nullptr);
}

#define TROUPE_INSTANTIATE(name)                                               \
  template void name<float>(const kernel_args&, std::int64_t);                 \
  template void name<double>(const kernel_args&, std::int64_t);                \
  template void name<complex_number<float>>(const kernel_args&, std::int64_t); \
  template void name<complex_number<double>>(const kernel_args&, std::int64_t);
TROUPE_INSTANTIATE(eig)
TROUPE_INSTANTIATE(eigvals)
#undef TROUPE_INSTANTIATE

}  // namespace troupe::cpu_kernels
