// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "troupe/devices/cuda/kernels/linalg_matrix.hpp"

// Singular values and eigenvalues.

namespace troupe::cuda::linear_algebra {

/// Finds the singular values and, unless `u` is null, the vectors that belong to them. The library
/// takes matrices with at least as many rows as columns: A' = V S U' if A is wide, whose factors
/// lie as they are wanted, and A itself if it is tall.
template <class T>
void decompose(one_matrix<T>& m, T* u, part_of<T>* s, T* vh) {
  const auto& a = m.a;
  const bool tall = a.rows > a.columns, vectors = u != nullptr;
  const auto greatest = std::max(a.rows, a.columns);
  const auto wide = m.given.complete ? greatest : m.steps;  // vectors of the longer side
  const int rows = library_size(greatest), columns = library_size(m.steps);
  const int size = m.library.gesvd_size(rows, columns);
  T* const work = m.room.template take<T>(size);
  auto* const more = m.room.template take<part_of<T>>(m.steps);
  T* const from = m.room.template take<T>(a.rows * a.columns);
  T* const left = tall && vectors ? m.room.template take<T>(greatest * wide) : vh;
  T* const right = tall && vectors ? m.room.template take<T>(m.steps * m.steps) : u;
  if (m.counting) return;
  for_each(m.on, a.rows * a.columns,
           copy_finite<T>{{tall ? a.transposed() : a, from}, false, m.note()});
  m.library.gesvd(!vectors           ? 'N'
                  : m.given.complete ? 'A'
                                     : 'S',
                  rows, columns, from, s, left, right, work, size, more, m.info);
  m.check(wrong::no_singular_values);
  if (!tall || !vectors) return;
  copy<T>(m.on, {left, greatest, wide, 1, greatest}, u);
  copy<T>(m.on, {right, m.steps, m.steps, 1, m.steps}, vh);
}

/// Writes real numbers as those of T.
template <class T>
struct put_reals {
  const part_of<T>* from;
  T* to;

  TROUPE_BOTH void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// Returns the place where real results are found that belong at `to` as numbers of T.
template <class T>
part_of<T>* reals_for(one_matrix<T>& m, T* to, std::int64_t count) {
  if constexpr (is_complex_number<T>) return m.room.template take<part_of<T>>(count);
  else return to;
}

/// Puts them there.
template <class T>
void finish_reals(one_matrix<T>& m, const part_of<T>* found, T* to, std::int64_t count) {
  if constexpr (is_complex_number<T>) {
    if (!m.counting) for_each(m.on, count, put_reals<T>{found, to});
  }
}

template <class T>
void svd(one_matrix<T>& m) {
  T* const s = m.out() + m.a.rows * (m.given.complete ? m.a.rows : m.steps);
  auto* const found = reals_for(m, s, m.steps);
  decompose(m, m.out(), found, s + m.steps);
  finish_reals(m, found, s, m.steps);
}

template <class T>
void svdvals(one_matrix<T>& m) {
  decompose<T>(m, nullptr, m.template out<part_of<T>>(), nullptr);
}

/// Finds the eigenvalues of a symmetric or Hermitian matrix and, if `vectors` is not null, the
/// vectors that belong to them.
template <class T>
void decompose_symmetric(one_matrix<T>& m, part_of<T>* values, T* vectors) {
  const int size = m.library.syevd_size(vectors != nullptr, m.rows);
  T* const work = m.room.template take<T>(size);
  T* const a = vectors ? vectors : m.room.template take<T>(m.a.rows * m.a.rows);
  if (m.counting) return;
  for_each(m.on, m.a.rows * m.a.rows, copy_finite<T>{{m.a, a}, true, m.note()});
  m.library.syevd(vectors != nullptr, m.rows, a, values, work, size, m.info);
  m.check(wrong::no_eigenvalues);
}

template <class T>
void eigh(one_matrix<T>& m) {
  auto* const found = reals_for(m, m.out(), m.a.rows);
  decompose_symmetric(m, found, m.out() + m.a.rows);
  finish_reals(m, found, m.out(), m.a.rows);
}

template <class T>
void eigvalsh(one_matrix<T>& m) {
  decompose_symmetric<T>(m, m.template out<part_of<T>>(), nullptr);
}

/// Writes the eigenvectors of a real matrix. Of two that are conjugate, the library gives the first
/// as a pair of real ones; the imaginary part of the first's eigenvalue is the positive one.
template <class T>
struct put_eigenvectors {
  const complex_number<T>* values;
  const T* found;
  std::int64_t n;
  complex_number<T>* out;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const T imaginary = values[i / n].im;
    if (imaginary > 0) out[i] = {found[i], found[i + n]};
    else if (imaginary < 0) out[i] = {found[i - n], -found[i]};
    else out[i] = found[i];
  }
};

/// Finds the eigenvalues of any square matrix and, if `vectors` is not null, puts the vectors that
/// belong to them there as rows.
template <class T>
void decompose_any(one_matrix<T>& m, complex_number<part_of<T>>* values,
                   complex_number<part_of<T>>* vectors) {
  const auto elements = m.a.rows * m.a.rows;
  const auto bytes = m.library.geev_bytes(vectors != nullptr, m.rows);
  auto* const work = m.room.template take<std::byte>(static_cast<std::int64_t>(bytes.on_gpu));
  T* const a = m.room.template take<T>(elements);
  T* found = nullptr;
  if constexpr (is_complex_number<T>) found = vectors;
  else if (vectors) found = m.room.template take<T>(elements);
  if (m.counting) return;
  for_each(m.on, elements, copy_finite<T>{{m.a.transposed(), a}, false, m.note()});
  m.library.geev(m.rows, a, values, found, work, bytes, m.info);
  m.check(wrong::no_eigenvalues);
  if constexpr (!is_complex_number<T>) {
    if (vectors) for_each(m.on, elements, put_eigenvectors<T>{values, found, m.a.rows, vectors});
  }
}

template <class T>
void eig(one_matrix<T>& m) {
  auto* const values = m.template out<complex_number<part_of<T>>>();
  decompose_any(m, values, values + m.a.rows);
}

template <class T>
void eigvals(one_matrix<T>& m) {
  decompose_any<T>(m, m.template out<complex_number<part_of<T>>>(), nullptr);
}

}  // namespace troupe::cuda::linear_algebra
