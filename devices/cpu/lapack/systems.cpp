// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cpu/lapack/linalg_kernels.hpp"

namespace troupe::cpu_kernels {

// A matrix that lies row by row is its transpose to LAPACK, so that one is factored: A' = P L U.

namespace {

constexpr std::int64_t block = 64;  // columns that LAPACK works on at once

/// The determinant of a factored matrix, as sign * mantissa * 2^exponent: a product of many numbers
/// can be too large or too small on the way.
template <class T>
struct scaled_determinant {
  T sign = 1;
  T mantissa = 1;
  std::int64_t exponent = 0;

  scaled_determinant(const T* factors, const int* swaps, std::int64_t n) noexcept {
    for (std::int64_t i = 0; i < n; ++i) {
      if (swaps[i] != i + 1) sign = -sign;
      int shift = 0;
      mantissa = std::frexp(mantissa * factors[i * n + i], &shift);
      exponent += shift;
    }
    if (mantissa < 0) mantissa = -mantissa, sign = -sign;
  }
};

/// The same of complex numbers; the sign is that of the mantissa.
template <class R>
struct scaled_determinant<complex_number<R>> {
  complex_number<R> mantissa = 1;
  std::int64_t exponent = 0;

  scaled_determinant(const complex_number<R>* factors, const int* swaps, std::int64_t n) noexcept {
    for (std::int64_t i = 0; i < n; ++i) {
      int shift = 0;
      mantissa = mantissa * factors[i * n + i];
      if (swaps[i] != i + 1) mantissa = -mantissa;
      std::frexp(magnitude(mantissa), &shift);
      mantissa = scaled_by(mantissa, -shift);
      exponent += shift;
    }
  }
};

template <class T>
scaled_determinant<T> determinant(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  const int n = lapack_size(a.rows);
  room own(bytes<T>(a.rows * a.rows) + bytes<int>(a.rows), 2);
  T* const factors = own.take<T>(a.rows * a.rows);
  int* const swaps = own.take<int>(a.rows);
  copy_rows(a, factors);
  int info = 0;
  lapack<T>()->getrf(&n, &n, factors, &n, swaps, &info);
  return {factors, swaps, a.rows};
}

}  // namespace

template <class T>
void solve(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index), b = matrix_of<T>(args.inputs[1], index);
  T* const out = result_of<T>(args, index);
  const int n = lapack_size(a.rows), count = lapack_size(b.columns);
  room own(bytes<T>(a.rows * (a.rows + b.columns)) + bytes<int>(a.rows), 3);
  T* const factors = own.take<T>(a.rows * a.rows);
  int* const swaps = own.take<int>(a.rows);
  T* const columns = count == 1 ? out : own.take<T>(a.rows * b.columns);
  copy_rows(a, factors);
  copy_rows(b.transposed(), columns);
  const lapack<T> library;
  int info = 0;
  library->getrf(&n, &n, factors, &n, swaps, &info);
  if (info > 0) refuse_matrix(args, index, matrix_singular);
  library->getrs("T", &n, &count, factors, &n, swaps, columns, &n, &info, 1);
  if (columns != out) copy_rows<T>({columns, b.rows, b.columns, 1, b.rows}, out);
}

template <class T>
void solve_triangular(const kernel_args& args, std::int64_t index) {
  auto a = matrix_of<T>(args.inputs[0], index);
  const auto b = matrix_of<T>(args.inputs[1], index);
  const auto& given = linalg_attributes_of(args);
  T* const out = result_of<T>(args, index);
  const int n = lapack_size(a.rows), count = lapack_size(b.columns);
  if (!given.unit) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
      if (a.data[i * (a.down + a.right)] == T(0)) refuse_matrix(args, index, matrix_singular);
    }
  }
  const bool as_it_lies = a.right == 1 && a.down >= a.columns;
  room own(as_it_lies ? 0 : bytes<T>(a.rows * a.rows), 1);
  if (!as_it_lies) {
    T* const rows = own.take<T>(a.rows * a.rows);
    copy_rows(a, rows);
    a = {rows, a.rows, a.rows, a.rows, 1};
  }
  const int step = lapack_size(a.down);
  copy_rows(b, out);
  // The transposed system, X' op(A)' = B'.
  const T one = 1;
  lapack<T>()->trsm("R", given.upper ? "L" : "U", given.transposed ? "T" : "N",
                    given.unit ? "U" : "N", &count, &n, &one, a.data, &step, out, &count, 1, 1, 1,
                    1);
}

template <class T>
void inv(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  T* const out = result_of<T>(args, index);
  const int n = lapack_size(a.rows), size = lapack_size(a.rows * block);
  room own(bytes<T>(size) + bytes<int>(a.rows), 2);
  T* const work = own.take<T>(size);
  int* const swaps = own.take<int>(a.rows);
  copy_rows(a, out);
  const lapack<T> library;
  int info = 0;
  library->getrf(&n, &n, out, &n, swaps, &info);
  if (info == 0) library->getri(&n, out, &n, swaps, work, &size, &info);
  if (info > 0) refuse_matrix(args, index, matrix_singular);
}

template <class T>
void det(const kernel_args& args, std::int64_t index) {
  const auto found = determinant<T>(args, index);
  const auto exponent = std::clamp<std::int64_t>(found.exponent, -100'000, 100'000);
  const T size = scaled_by(found.mantissa, static_cast<int>(exponent));
  if constexpr (is_complex_number<T>) *result_of<T>(args, index) = size;
  else *result_of<T>(args, index) = found.sign * size;
}

template <class T>
void slogdet(const kernel_args& args, std::int64_t index) {
  const auto found = determinant<T>(args, index);
  T* const out = result_of<T>(args, index);
  const double size = magnitude(found.mantissa);
  const auto part = static_cast<part_of<T>>(size);
  if (size == 0) out[0] = T(0);
  else if constexpr (is_complex_number<T>)
    out[0] = {found.mantissa.re / part, found.mantissa.im / part};
  else out[0] = size == size ? found.sign : found.mantissa;
  out[1] = static_cast<part_of<T>>(std::log(size) +
                                   static_cast<double>(found.exponent) * 0.69314718055994530942);
}

#define TROUPE_INSTANTIATE(name)                                               \
  template void name<float>(const kernel_args&, std::int64_t);                 \
  template void name<double>(const kernel_args&, std::int64_t);                \
  template void name<complex_number<float>>(const kernel_args&, std::int64_t); \
  template void name<complex_number<double>>(const kernel_args&, std::int64_t);
TROUPE_INSTANTIATE(solve)
TROUPE_INSTANTIATE(solve_triangular)
TROUPE_INSTANTIATE(inv)
TROUPE_INSTANTIATE(det)
TROUPE_INSTANTIATE(slogdet)
#undef TROUPE_INSTANTIATE

}  // namespace troupe::cpu_kernels
