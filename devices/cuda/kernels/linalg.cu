// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"
#include "troupe/devices/cuda/kernels/scratch_room.hpp"
#include "troupe/devices/cuda/solver.hpp"
#include "troupe/devices/layout/matrices.hpp"

namespace troupe::cuda {

// One matrix after the other, each by calls of a library. To that, a matrix that lies row by row is
// its transpose, as in devices/cpu/lapack, whose results these are.

namespace {

/// Reasons to refuse a matrix, numbered as faults are, from 1.
enum class wrong : std::int32_t {
  singular = 1,
  not_definite,
  not_finite,
  no_singular_values,
  no_eigenvalues
};

constexpr const char* facts_of(std::int32_t happened) noexcept {
  constexpr const char* facts[] = {matrix_singular, matrix_not_definite, matrix_not_finite,
                                   matrix_without_singular_values, matrix_without_eigenvalues};
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
/// upper triangle is that of the symmetric matrix with this lower one.
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

int library_size(std::int64_t n) {
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
  T* out = result_of<T>(args, index);
  int* info = room.template take<int>(1);

  one_matrix(const kernel_args& from, stream& s, std::int64_t i, void* scratch)
      : args(from), on(s), index(i), counting(scratch == nullptr), room(scratch) {}

  fault_note note() const noexcept { return {args.fault, index}; }
  void check(wrong what) const { for_each(on, 1, check_info{info, note(), what}); }
};

/// Writes zeros above the diagonal of a factor and notes what is not positive on it.
template <class T>
struct finish_cholesky {
  T* out;
  std::int64_t n;
  fault_note note;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    const auto row = i / n, column = i % n;
    if (column > row) out[i] = T(0);
    if (column == row && !(out[i] > T(0))) note.put(wrong::not_definite);
  }
};

template <class T>
void cholesky(one_matrix<T>& m) {
  const int size = m.library.potrf_size(m.rows);
  T* const work = m.room.template take<T>(size);
  if (m.counting) return;
  copy(m.on, m.a, m.out);
  m.library.potrf(m.rows, m.out, work, size, m.info);
  m.check(wrong::not_definite);
  for_each(m.on, m.a.rows * m.a.rows, finish_cholesky<T>{m.out, m.a.rows, m.note()});
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
  T* const sides = count == 1 ? m.out : m.room.template take<T>(b.rows * b.columns);
  if (m.counting) return;
  lu.find(m);
  m.check(wrong::singular);
  copy(m.on, b.transposed(), sides);
  m.library.getrs(true, m.rows, count, lu.factors, lu.swaps, sides, m.info);
  if (sides != m.out) copy<T>(m.on, {sides, b.rows, b.columns, 1, b.rows}, m.out);
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
  copy(m.on, b, m.out);
  // The transposed system, X' op(A)' = B'.
  m.library.trsm(!m.given.upper, m.given.transposed, m.given.unit, b.columns, a.rows, a.data,
                 a.down, m.out);
}

template <class T>
void inv(one_matrix<T>& m) {
  const lu_factors<T> lu(m);
  if (m.counting) return;
  lu.find(m);
  m.check(wrong::singular);
  for_each(m.on, m.a.rows * m.a.rows, put_identity<T>{m.a.rows, m.out});
  m.library.getrs(false, m.rows, m.rows, lu.factors, lu.swaps, m.out, m.info);
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
      int shift = 0;
      mantissa = std::frexp(mantissa * factors[i * n + i], &shift);
      // No shift is defined of what is not finite.
      if (mantissa - mantissa == T(0)) exponent += shift;
    }
    if (mantissa < 0) {
      mantissa = -mantissa;
      sign = -sign;
    }
    if (as_logarithm) {
      out[0] = mantissa == 0 ? T(0) : mantissa == mantissa ? sign : mantissa;
      out[1] = static_cast<T>(std::log(static_cast<double>(mantissa)) +
                              static_cast<double>(exponent) * 0.69314718055994530942);
    } else {
      constexpr std::int64_t most = 100'000;
      const auto power = exponent > most ? most : exponent < -most ? -most : exponent;
      out[0] = sign * std::ldexp(mantissa, static_cast<int>(power));
    }
  }
};

template <class T>
void find_determinant(one_matrix<T>& m, bool as_logarithm) {
  const lu_factors<T> lu(m);
  if (m.counting) return;
  lu.find(m);  // a singular matrix has a determinant, too
  for_each(m.on, 1, put_determinant<T>{lu.factors, lu.swaps, m.a.rows, as_logarithm, m.out});
}

template <class T>
void det(one_matrix<T>& m) {
  find_determinant(m, false);
}

template <class T>
void slogdet(one_matrix<T>& m) {
  find_determinant(m, true);
}

/// Writes the order of the rows that exchanges lead to.
template <class T>
struct put_order {
  const int* swaps;
  std::int64_t steps, rows;
  T* order;

  TROUPE_BOTH void operator()(std::int64_t) const {
    for (std::int64_t i = 0; i < rows; ++i) order[i] = static_cast<T>(i);
    for (std::int64_t i = 0; i < steps; ++i) {
      const T kept = order[i];
      order[i] = order[swaps[i] - 1];
      order[swaps[i] - 1] = kept;
    }
  }
};

template <class T>
void lu(one_matrix<T>& m) {
  T* const factors = m.out + m.a.rows;
  int* const swaps = m.room.template take<int>(m.steps);
  T* const work = m.room.template take<T>(m.library.getrf_size(m.rows, m.columns));
  if (m.counting) return;
  copy(m.on, m.a.transposed(), factors);
  m.library.getrf(m.rows, m.columns, factors, work, swaps, m.info);  // of singular ones, too
  for_each(m.on, 1, put_order<T>{swaps, m.steps, m.a.rows, m.out});
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
  T* const q = m.out;
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

/// Finds the singular values and, unless `u` is null, the vectors that belong to them. The library
/// takes matrices with at least as many rows as columns: A' = V S U' if A is wide, whose factors
/// lie as they are wanted, and A itself if it is tall.
template <class T>
void decompose(one_matrix<T>& m, T* u, T* s, T* vh) {
  const auto& a = m.a;
  const bool tall = a.rows > a.columns, vectors = u != nullptr;
  const auto greatest = std::max(a.rows, a.columns);
  const auto wide = m.given.complete ? greatest : m.steps;  // vectors of the longer side
  const int rows = library_size(greatest), columns = library_size(m.steps);
  const int size = m.library.gesvd_size(rows, columns);
  T* const work = m.room.template take<T>(size);
  T* const more = m.room.template take<T>(m.steps);
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

template <class T>
void svd(one_matrix<T>& m) {
  T* const s = m.out + m.a.rows * (m.given.complete ? m.a.rows : m.steps);
  decompose(m, m.out, s, s + m.steps);
}

template <class T>
void svdvals(one_matrix<T>& m) {
  decompose<T>(m, nullptr, m.out, nullptr);
}

template <class T>
void decompose_symmetric(one_matrix<T>& m, bool vectors) {
  const int size = m.library.syevd_size(vectors, m.rows);
  T* const work = m.room.template take<T>(size);
  T* const a = vectors ? m.out + m.a.rows : m.room.template take<T>(m.a.rows * m.a.rows);
  if (m.counting) return;
  for_each(m.on, m.a.rows * m.a.rows, copy_finite<T>{{m.a, a}, true, m.note()});
  m.library.syevd(vectors, m.rows, a, m.out, work, size, m.info);
  m.check(wrong::no_eigenvalues);
}

template <class T>
void eigh(one_matrix<T>& m) {
  decompose_symmetric(m, true);
}

template <class T>
void eigvalsh(one_matrix<T>& m) {
  decompose_symmetric(m, false);
}

/// Gives the results for a matrix without elements: the determinant is 1, and R and orthogonal
/// factors that are square are an identity.
template <class T>
void fill_of_nothing(const kernel_args& args, linalg_op op, std::int64_t index, stream& on) {
  const array& x = args.inputs[0];
  const auto rows = x.shape[x.rank - 2], columns = x.shape[x.rank - 1];
  T* const out = result_of<T>(args, index);
  const auto identity = [&](std::int64_t n, T* to) { for_each(on, n * n, put_identity<T>{n, to}); };
  if (op == linalg_op::det) identity(1, out);
  if (op == linalg_op::slogdet) for_each(on, 2, put_identity<T>{2, out});
  if (op == linalg_op::lu) for_each(on, 1, put_order<T>{nullptr, 0, rows, out});
  if (op == linalg_op::qr || op == linalg_op::svd) identity(rows, out);
  if (op == linalg_op::svd) identity(columns, out + rows * rows);
}

template <class T, linalg_op Op, void (*One)(one_matrix<T>&)>
void launch(const kernel_args& args, stream& on) {
  if (args.outputs[0].size() == 0) return;
  const array& x = args.inputs[0];
  const bool empty = x.shape[x.rank - 2] == 0 || x.shape[x.rank - 1] == 0;
  for (std::int64_t i = 0; i < count_matrices(x); ++i) {
    if (empty) {
      fill_of_nothing<T>(args, Op, i, on);
    } else {
      one_matrix<T> one(args, on, i, args.scratch);
      One(one);
    }
  }
}

/// The matrices follow one another, so they share the scratch memory.
template <class T, void (*One)(one_matrix<T>&)>
std::size_t scratch_bytes(const kernel_args& args, stream& on) {
  const array& x = args.inputs[0];
  if (args.outputs[0].size() == 0 || x.size() == 0) return 0;
  one_matrix<T> one(args, on, 0, nullptr);
  One(one);
  return one.room.bytes();
}

std::string explain(const kernel_args& args, const data_fault& fault) {
  return about_matrix(args.inputs[0], fault.index, facts_of(fault.happened));
}

template <class T>
const kernel* choose(linalg_op op) noexcept {
  switch (op) {
#define TROUPE_FUNCTION(name)                                                    \
  case linalg_op::name: {                                                        \
    static constexpr kernel k{.launch = launch<T, linalg_op::name, name<T>>,     \
                              .launch_scratch_bytes = scratch_bytes<T, name<T>>, \
                              .explain = explain};                               \
    return &k;                                                                   \
  }
    TROUPE_FUNCTION(cholesky)
    TROUPE_FUNCTION(solve)
    TROUPE_FUNCTION(solve_triangular)
    TROUPE_FUNCTION(inv)
    TROUPE_FUNCTION(det)
    TROUPE_FUNCTION(slogdet)
    TROUPE_FUNCTION(lu)
    TROUPE_FUNCTION(qr)
    TROUPE_FUNCTION(svd)
    TROUPE_FUNCTION(svdvals)
    TROUPE_FUNCTION(eigh)
    TROUPE_FUNCTION(eigvalsh)
#undef TROUPE_FUNCTION
    case linalg_op::expm:
    case linalg_op::eig:
    case linalg_op::eigvals: break;
  }
  return nullptr;
}

}  // namespace

const kernel* linalg_kernel(linalg_op op, dtype type) noexcept {
  if (type == float32) return choose<float>(op);
  return type == float64 ? choose<double>(op) : nullptr;
}

}  // namespace troupe::cuda
