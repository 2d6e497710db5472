// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/scratch_room.hpp"
#include "troupe/devices/cuda/solver.hpp"
#include "troupe/devices/layout/matrices.hpp"

/// A matrix that a function of the library is called for: its copies, and what is wrong with it.
/// To the library, a matrix that lies row by row is its transpose, as in devices/cpu/lapack, whose
/// results these are.

namespace troupe::cuda::linear_algebra {

template <class T>
TROUPE_BOTH part_of<T> real_part(T x) {
  if constexpr (is_complex_number<T>) return x.re;
  else return x;
}

/// Reasons to refuse a matrix, numbered as faults are, from 1.
enum class wrong : std::int32_t {
  singular = 1,
  not_definite,
  not_finite,
  no_singular_values,
  no_eigenvalues
};

inline const char* facts_of(std::int32_t happened) noexcept {
  static constexpr const char* facts[] = {matrix_singular, matrix_not_definite, matrix_not_finite,
                                          matrix_without_singular_values,
                                          matrix_without_eigenvalues};
  return facts[happened - 1];
}

/// Place for the fault of one matrix. The first fault of a batch is kept: matrices follow one
/// another, and all threads of a grid write the same.
struct fault_note {
  data_fault* fault;
  std::int64_t index;

  TROUPE_BOTH void put(wrong what) const {
    if (fault->happened != 0) return;
    fault->index = index;
    fault->happened = static_cast<std::int32_t>(what);
  }
};

/// Notes what the library has found.
struct check_info {
  const int* info;
  fault_note note;
  wrong what;

  TROUPE_BOTH void operator()(std::int64_t) const {
    if (*info != 0) note.put(what);
  }
};

/// Copies a matrix row by row.
template <class T>
struct copy_matrix {
  matrix<const T> from;
  T* to;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    to[i] = from.data[i / from.columns * from.down + i % from.columns * from.right];
  }
};

/// The same, with zeros in place of what is not finite, so that any method ends. With `lower`, the
/// upper triangle is the lower one's mirror image: to the library, that is the lower triangle.
template <class T>
struct copy_finite {
  copy_matrix<T> plain;
  bool lower;
  fault_note note;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto& from = plain.from;
    const auto row = i / from.columns, column = i % from.columns;
    const bool mirrored = lower && column > row;
    T x = from.data[(mirrored ? column : row) * from.down + (mirrored ? row : column) * from.right];
    if (!(x - x == T(0))) {
      note.put(wrong::not_finite);
      x = T(0);
    }
    plain.to[i] = x;
  }
};

/// Writes an identity matrix of n columns.
template <class T>
struct put_identity {
  std::int64_t n;
  T* out;

  TROUPE_BOTH void operator()(std::int64_t i) const { out[i] = i / n == i % n ? T(1) : T(0); }
};

template <class T>
void copy(stream& on, const matrix<const T>& from, T* to) {
  for_each(on, from.rows * from.columns, copy_matrix<T>{from, to});
}

inline int library_size(std::int64_t n) {
  if (n > std::numeric_limits<int>::max())
    throw std::length_error("matrices are too large for cuSOLVER");
  return static_cast<int>(n);
}

/// One matrix of a kernel's operands and the scratch memory for it. Without memory it is only
/// counted what is taken.
template <class T>
struct one_matrix {
  const kernel_args& args;
  stream& on;
  std::int64_t index;
  bool counting;
  scratch_room room;
  matrix<const T> a = matrix_of<T>(args.inputs[0], index);
  int rows = library_size(a.rows), columns = library_size(a.columns);
  std::int64_t steps = std::min(a.rows, a.columns);
  const linalg_attributes& given = *static_cast<const linalg_attributes*>(args.attributes);
  solver<T> library{on};
  int* info = room.template take<int>(1);

  one_matrix(const kernel_args& from, stream& s, std::int64_t i, void* scratch)
      : args(from), on(s), index(i), counting(scratch == nullptr), room(scratch) {}

  /// The place of the result, whose numbers may be real where the matrix's are complex.
  template <class R = T>
  R* out() const noexcept {
    return result_of<R>(args, index);
  }
  fault_note note() const noexcept { return {args.fault, index}; }
  void check(wrong what) const { for_each(on, 1, check_info{info, note(), what}); }
};

}  // namespace troupe::cuda::linear_algebra
