// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "troupe/devices/kernel.hpp"

/// The matrices in the last two axes of operands, and what linear algebra says of wrong ones.

namespace troupe {

/// A matrix of an operand: the address of its first element and its strides.
template <class T>
struct matrix {
  T* data;
  std::int64_t rows, columns, down, right;

  matrix transposed() const noexcept { return {data, columns, rows, right, down}; }
};

/// Returns the number of matrices that an operand consists of.
inline std::int64_t count_matrices(const array& x) noexcept {
  std::int64_t n = 1;
  for (int i = 0; i + 2 < x.rank; ++i) n *= x.shape[i];
  return n;
}

/// Returns matrix number `index`, in the order of the axes before the last two.
template <class T>
matrix<const T> matrix_of(const array& x, std::int64_t index) noexcept {
  const int row = x.rank - 2, column = x.rank - 1;
  const T* data = x.as<const T>();
  for (int i = row - 1; i >= 0 && index != 0; --i) {
    data += index % x.shape[i] * x.strides[i];
    index /= x.shape[i];
  }
  return {data, x.shape[row], x.shape[column], x.strides[row], x.strides[column]};
}

/// Returns the place of result number `index` of an output with as many elements for each matrix.
template <class T>
T* result_of(const kernel_args& args, std::int64_t index) noexcept {
  const array& out = args.outputs[0];
  return out.as<T>() + out.size() / count_matrices(args.inputs[0]) * index;
}

inline constexpr const char* matrix_singular = "is singular";
inline constexpr const char* matrix_not_definite = "is not positive definite";
inline constexpr const char* matrix_not_finite = "has numbers that are not finite";
inline constexpr const char* matrix_without_singular_values =
    "gave no singular values: the computation did not converge";
inline constexpr const char* matrix_without_eigenvalues =
    "gave no eigenvalues: the computation did not converge";

/// Returns `the matrix is singular`, or `matrix [1,2] is singular` where there are several.
inline std::string about_matrix(const array& x, std::int64_t index, const char* facts) {
  if (x.rank == 2) return std::string("the matrix ") + facts;
  std::string place;
  for (int i = x.rank - 3; i >= 0; --i) {
    place = std::to_string(index % x.shape[i]) + (place.empty() ? "" : ",") + place;
    index /= x.shape[i];
  }
  return "matrix [" + place + "] " + facts;
}

}  // namespace troupe
