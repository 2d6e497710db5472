// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/driver.hpp"

namespace troupe::cuda {

/// Functions of LAPACK on a stream, for float32, float64, and complex numbers of these. Matrices
/// lie column by column, without gaps unless a step from column to column is given; all addresses
/// are of the GPU's memory. `info` gets 0, or what LAPACK calls a failure. Functions that work in
/// `work` are told the size that the function of their name with `_size` has returned, in elements.
/// No size is 0.
template <class T>
struct solver {
  using real = part_of<T>;
  stream& on;

  /// The Cholesky factor of the upper triangle, in its place.
  int potrf_size(int n) const;
  void potrf(int n, T* a, T* work, int size, int* info) const;
  /// L, U and the exchanges of rows, which count from 1.
  int getrf_size(int rows, int columns) const;
  void getrf(int rows, int columns, T* a, T* work, int* swaps, int* info) const;
  /// The solution of a system, or a transposed one, from what `getrf` found, in the place of `b`.
  void getrs(bool transposed, int n, int count, const T* factors, const int* swaps, T* b,
             int* info) const;
  /// R and reflections, and from these the first `columns` columns of Q, which is unitary where
  /// numbers are complex. The size is for both.
  int qr_size(int rows, int columns, int q_columns, int reflections) const;
  void geqrf(int rows, int columns, T* a, T* tau, T* work, int size, int* info) const;
  void orgqr(int rows, int columns, int reflections, T* a, const T* tau, T* work, int size,
             int* info) const;
  /// The singular values of a matrix with at least as many rows as columns, which is overwritten;
  /// with them all vectors (A), those that belong to values (S) or none (N). `more` has room for
  /// as many numbers as there are values.
  int gesvd_size(int rows, int columns) const;
  void gesvd(char job, int rows, int columns, T* a, real* s, T* u, T* vt, T* work, int size,
             real* more, int* info) const;
  /// The eigenvalues, in ascending order, of a symmetric or Hermitian matrix, given by its lower
  /// triangle; with
  /// them the vectors, in its place, else it is overwritten.
  int syevd_size(bool vectors, int n) const;
  void syevd(bool vectors, int n, T* a, real* values, T* work, int size, int* info) const;
  /// The eigenvalues of any square matrix, which is overwritten, and the vectors that belong to
  /// them unless `vectors` is null: those of a real matrix as LAPACK's geev gives them. Throws
  /// where the library is older than the function.
  struct geev_room {
    std::size_t on_gpu, on_host;
  };
  geev_room geev_bytes(bool vectors, int n) const;
  void geev(int n, T* a, complex_number<real>* values, T* vectors, std::byte* work, geev_room bytes,
            int* info) const;
  /// The solution X of X op(A) = B, where A is a triangle of n x n, in the place of B, which has
  /// `rows` rows.
  void trsm(bool upper, bool transposed, bool unit, std::int64_t rows, std::int64_t n, const T* a,
            std::int64_t step, T* b) const;
};

extern template struct solver<float>;
extern template struct solver<double>;
extern template struct solver<complex_number<float>>;
extern template struct solver<complex_number<double>>;

}  // namespace troupe::cuda
