// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include "troupe/devices/cuda/kernels/linalg_matrix.hpp"

// Systems of equations, inverses and determinants.

namespace troupe::cuda::linear_algebra {

template <class T>
TROUPE_BOTH part_of<T> magnitude(T x) {
  if constexpr (is_complex_number<T>) return std::hypot(x.re, x.im);
  else return std::abs(x);
}

/// Returns x * 2^power.
template <class T>
TROUPE_BOTH T scaled_by(T x, int power) {
  if constexpr (is_complex_number<T>) return {std::ldexp(x.re, power), std::ldexp(x.im, power)};
  else return std::ldexp(x, power);
}

/// Returns a number of this size divided by it.
template <class T>
TROUPE_BOTH T direction(T x, part_of<T> size) {
  if constexpr (is_complex_number<T>) return {x.re / size, x.im / size};
  else return size == size ? (x < 0 ? T(-1) : T(1)) : x;
}

/// LU factors of the transposed square matrix.
template <class T>
struct lu_factors {
  T* factors;
  int* swaps;

  explicit lu_factors(one_matrix<T>& m)
      : factors(m.room.template take<T>(m.a.rows * m.a.rows)),
        swaps(m.room.template take<int>(m.a.rows)),
        work_(m.room.template take<T>(m.library.getrf_size(m.rows, m.rows))) {}

  void find(one_matrix<T>& m) const {
    copy(m.on, m.a, factors);
    m.library.getrf(m.rows, m.rows, factors, work_, swaps, m.info);
  }

 private:
  T* work_;
};

template <class T>
void solve(one_matrix<T>& m) {
  const auto b = matrix_of<T>(m.args.inputs[1], m.index);
  const int count = library_size(b.columns);
  const lu_factors<T> lu(m);
  T* const sides = count == 1 ? m.out() : m.room.template take<T>(b.rows * b.columns);
  if (m.counting) return;
  lu.find(m);
  m.check(wrong::singular);
  copy(m.on, b.transposed(), sides);
  m.library.getrs(true, m.rows, count, lu.factors, lu.swaps, sides, m.info);
  if (sides != m.out()) copy<T>(m.on, {sides, b.rows, b.columns, 1, b.rows}, m.out());
}

/// Notes a 0 on the diagonal.
template <class T>
struct check_diagonal {
  const T* data;
  std::int64_t step;
  fault_note note;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    if (data[i * step] == T(0)) note.put(wrong::singular);
  }
};

template <class T>
void solve_triangular(one_matrix<T>& m) {
  auto& a = m.a;
  const auto b = matrix_of<T>(m.args.inputs[1], m.index);
  const bool as_it_lies = a.right == 1 && a.down >= a.columns;
  T* const rows = as_it_lies ? nullptr : m.room.template take<T>(a.rows * a.rows);
  if (m.counting) return;
  if (!m.given.unit) for_each(m.on, a.rows, check_diagonal<T>{a.data, a.down + a.right, m.note()});
  if (!as_it_lies) {
    copy(m.on, a, rows);
    a = {rows, a.rows, a.rows, a.rows, 1};
  }
  copy(m.on, b, m.out());
  // The transposed system, X' op(A)' = B'.
  m.library.trsm(!m.given.upper, m.given.transposed, m.given.unit, b.columns, a.rows, a.data,
                 a.down, m.out());
}

template <class T>
void inv(one_matrix<T>& m) {
  const lu_factors<T> lu(m);
  if (m.counting) return;
  lu.find(m);
  m.check(wrong::singular);
  for_each(m.on, m.a.rows * m.a.rows, put_identity<T>{m.a.rows, m.out()});
  m.library.getrs(false, m.rows, m.rows, lu.factors, lu.swaps, m.out(), m.info);
}

/// Finds the determinant of a factored matrix as sign * mantissa * 2^exponent, since a product of
/// many numbers can be too large or too small on the way, and writes it, or its sign and the
/// logarithm of its size.
template <class T>
struct put_determinant {
  const T* factors;
  const int* swaps;
  std::int64_t n;
  bool as_logarithm;
  T* out;

  TROUPE_BOTH void operator()(std::int64_t) const {
    T sign = 1, mantissa = 1;
    std::int64_t exponent = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (swaps[i] != i + 1) sign = -sign;
      mantissa = mantissa * factors[i * n + i];
      const auto size = magnitude(mantissa);
      // No shift is defined of what is not finite.
      if (!(size - size == 0)) continue;
      int shift = 0;
      std::frexp(size, &shift);
      mantissa = scaled_by(mantissa, -shift);
      exponent += shift;
    }
    if (as_logarithm) {
      const auto size = magnitude(mantissa);
      out[0] = size == 0 ? T(0) : direction(sign * mantissa, size);
      out[1] = static_cast<part_of<T>>(std::log(static_cast<double>(size)) +
                                       static_cast<double>(exponent) * 0.69314718055994530942);
    } else {
      constexpr std::int64_t most = 100'000;
      const auto power = exponent > most ? most : exponent < -most ? -most : exponent;
      out[0] = scaled_by(sign * mantissa, static_cast<int>(power));
    }
  }
};

template <class T>
void find_determinant(one_matrix<T>& m, bool as_logarithm) {
  const lu_factors<T> lu(m);
  if (m.counting) return;
  lu.find(m);  // a singular matrix has a determinant, too
  for_each(m.on, 1, put_determinant<T>{lu.factors, lu.swaps, m.a.rows, as_logarithm, m.out()});
}

template <class T>
void det(one_matrix<T>& m) {
  find_determinant(m, false);
}

template <class T>
void slogdet(one_matrix<T>& m) {
  find_determinant(m, true);
}

}  // namespace troupe::cuda::linear_algebra
