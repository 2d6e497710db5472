// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cpu/blas_call.hpp"

namespace troupe::cpu_kernels {

/// The functions of LAPACK and BLAS that kernels of linear algebra call, in Fortran's form:
/// matrices lie column by column, all arguments are addresses, and the lengths of texts come last.
/// Those of complex numbers have other names where matrices are Hermitian or unitary, and room for
/// real numbers behind their workspace.
template <class T>
struct lapack_functions {
  using length = std::size_t;
  using real = part_of<T>;

  template <class OfReal, class OfComplex>
  using form = std::conditional_t<is_complex_number<T>, OfComplex, OfReal>*;

  void (*potrf)(const char* triangle, const int* n, T* a, const int* step, int* info, length);
  void (*getrf)(const int* rows, const int* columns, T* a, const int* step, int* swaps, int* info);
  void (*getrs)(const char* form, const int* n, const int* count, const T* a, const int* step,
                const int* swaps, T* b, const int* b_step, int* info, length);
  void (*getri)(const int* n, T* a, const int* step, const int* swaps, T* work, const int* size,
                int* info);
  void (*geqrf)(const int* rows, const int* columns, T* a, const int* step, T* tau, T* work,
                const int* size, int* info);
  void (*orgqr)(const int* rows, const int* columns, const int* count, T* a, const int* step,
                const T* tau, T* work, const int* size, int* info);
  form<void(const char* job, const int* rows, const int* columns, T* a, const int* step, real* s,
            T* u, const int* u_step, T* vt, const int* vt_step, T* work, const int* size, int* more,
            int* info, length),
       void(const char* job, const int* rows, const int* columns, T* a, const int* step, real* s,
            T* u, const int* u_step, T* vt, const int* vt_step, T* work, const int* size,
            real* reals, int* more, int* info, length)>
      gesdd;
  form<void(const char* job, const char* triangle, const int* n, T* a, const int* step, real* w,
            T* work, const int* size, int* more, const int* more_size, int* info, length, length),
       void(const char* job, const char* triangle, const int* n, T* a, const int* step, real* w,
            T* work, const int* size, real* reals, const int* reals_size, int* more,
            const int* more_size, int* info, length, length)>
      syevd;
  form<void(const char* left, const char* right, const int* n, T* a, const int* step, T* w_re,
            T* w_im, T* vl, const int* vl_step, T* vr, const int* vr_step, T* work, const int* size,
            int* info, length, length),
       void(const char* left, const char* right, const int* n, T* a, const int* step, T* w, T* vl,
            const int* vl_step, T* vr, const int* vr_step, T* work, const int* size, real* reals,
            int* info, length, length)>
      geev;
  void (*trsm)(const char* side, const char* triangle, const char* form, const char* diagonal,
               const int* rows, const int* columns, const T* alpha, const T* a, const int* step,
               T* b, const int* b_step, length, length, length, length);
  void (*gemm)(const char* a_form, const char* b_form, const int* rows, const int* columns,
               const int* inner, const T* alpha, const T* a, const int* a_step, const T* b,
               const int* b_step, const T* beta, T* out, const int* out_step, length, length);
};

/// LAPACK for the calls of one kernel. Throws as `blas_call` does, and std::runtime_error where
/// OpenBLAS was built without LAPACK.
template <class T>
class lapack {
 public:
  lapack();
  const lapack_functions<T>* operator->() const noexcept { return functions_; }

 private:
  blas_call call_;
  const lapack_functions<T>* functions_;
};

/// Returns a size as LAPACK takes it. Throws std::length_error if it is too large.
int lapack_size(std::int64_t n);
/// Returns the size of the workspace that LAPACK has asked for, as a number of the matrix's dtype,
/// which may have been rounded down.
int lapack_work_size(double asked);

}  // namespace troupe::cpu_kernels
