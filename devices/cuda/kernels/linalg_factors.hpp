// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cuda/kernels/linalg_matrix.hpp"

// Factors that are triangles or orthogonal.

namespace troupe::cuda::linear_algebra {

/// Writes zeros above the diagonal of a factor and notes what is not positive on it.
template <class T>
struct finish_cholesky {
  T* out;
  std::int64_t n;
  fault_note note;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto row = i / n, column = i % n;
    if (column > row) out[i] = T(0);
    if (column == row && !(real_part(out[i]) > 0)) note.put(wrong::not_definite);
  }
};

template <class T>
void cholesky(one_matrix<T>& m) {
  const int size = m.library.potrf_size(m.rows);
  T* const work = m.room.template take<T>(size);
  if (m.counting) return;
  copy(m.on, m.a, m.out());
  m.library.potrf(m.rows, m.out(), work, size, m.info);
  m.check(wrong::not_definite);
  for_each(m.on, m.a.rows * m.a.rows, finish_cholesky<T>{m.out(), m.a.rows, m.note()});
}

/// Writes the order of the rows that exchanges lead to.
template <class T>
struct put_order {
  const int* swaps;
  std::int64_t steps, rows;
  T* order;

  TROUPE_BOTH void operator()(std::int64_t) const {
    for (std::int64_t i = 0; i < rows; ++i) order[i] = static_cast<part_of<T>>(i);
    for (std::int64_t i = 0; i < steps; ++i) {
      const T kept = order[i];
      order[i] = order[swaps[i] - 1];
      order[swaps[i] - 1] = kept;
    }
  }
};

template <class T>
void lu(one_matrix<T>& m) {
  T* const factors = m.out() + m.a.rows;
  int* const swaps = m.room.template take<int>(m.steps);
  T* const work = m.room.template take<T>(m.library.getrf_size(m.rows, m.columns));
  if (m.counting) return;
  copy(m.on, m.a.transposed(), factors);
  m.library.getrf(m.rows, m.columns, factors, work, swaps, m.info);  // of singular ones, too
  for_each(m.on, 1, put_order<T>{swaps, m.steps, m.a.rows, m.out()});
}

/// Writes the upper triangle that lies column by column as rows.
template <class T>
struct put_triangle {
  const T* from;
  std::int64_t step, columns;
  T* to;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto row = i / columns, column = i % columns;
    to[i] = row > column ? T(0) : from[column * step + row];
  }
};

template <class T>
void qr(one_matrix<T>& m) {
  const auto& a = m.a;
  const auto wide = m.given.complete ? a.rows : m.steps;  // columns of Q
  T* const q = m.out();
  T* const r = q + a.rows * wide;
  const int width = library_size(wide), count = library_size(m.steps);
  const bool in_place = a.columns <= wide;
  const int size = m.library.qr_size(m.rows, m.columns, width, count);
  T* const work = m.room.template take<T>(size);
  T* const tau = m.room.template take<T>(m.steps);
  T* const factors = in_place ? q : m.room.template take<T>(a.rows * a.columns);
  if (m.counting) return;
  copy(m.on, a.transposed(), factors);
  m.library.geqrf(m.rows, m.columns, factors, tau, work, size, m.info);
  for_each(m.on, wide * a.columns, put_triangle<T>{factors, a.rows, a.columns, r});
  m.library.orgqr(m.rows, width, count, factors, tau, work, size, m.info);
  if (!in_place) copy<T>(m.on, {factors, wide, a.rows, a.rows, 1}, q);
}

}  // namespace troupe::cuda::linear_algebra
