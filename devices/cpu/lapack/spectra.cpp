// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "troupe/devices/cpu/lapack/linalg_kernels.hpp"

namespace troupe::cpu_kernels {

// A matrix that lies row by row is its transpose to LAPACK: A' = U S V' makes A = V S U', and the
// columns of U and rows of V' lie as the rows of U' and columns of V that are wanted.

namespace {

/// Sizes of LAPACK's workspaces for a kind of decomposition of matrices of a size: of numbers as
/// the matrix has them, of real ones beside complex ones, and of integers.
struct work_sizes {
  char job;
  int rows, columns;
  int size = 0, reals = 0, more = 0;
};

/// Sizes as LAPACK answers them.
template <class T>
struct asked_sizes {
  T size = 0;
  part_of<T> reals = 0;
  int more = 0;
};

/// Returns the sizes that `ask` finds out, or those of the thread's last question: small matrices
/// come in large batches, and asking takes as long as decomposing one.
template <class T, class Ask>
work_sizes sizes_for(char job, int rows, int columns, const Ask& ask) {
  thread_local constinit work_sizes last{};
  if (last.size == 0 || last.job != job || last.rows != rows || last.columns != columns) {
    last = {job, rows, columns};
    const asked_sizes<T> answer = ask();
    last.more = answer.more;
    last.reals = lapack_work_size(static_cast<double>(answer.reals));
    last.size = lapack_work_size(static_cast<double>(real_part(answer.size)));
  }
  return last;
}

/// Finds the singular values and, unless `u` is null, the vectors that belong to them.
template <class T>
void decompose(const kernel_args& args, std::int64_t index, bool complete, T* u, part_of<T>* s,
               T* vh) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  const auto steps = std::min(a.rows, a.columns);
  const char* const job = u == nullptr ? "N" : complete ? "A" : "S";
  const int rows = lapack_size(a.rows), columns = lapack_size(a.columns);
  const int u_step = lapack_size(complete ? a.rows : steps);
  if (u != nullptr) lapack_size(4 * steps * steps + 7 * steps);  // part of what LAPACK works in
  const lapack<T> library;
  int info = 0;
  using real = part_of<T>;
  const auto greatest = std::max(a.rows, a.columns), square = steps * steps;
  const auto for_vectors =
      std::max(5 * square + 7 * steps, 2 * greatest * steps + 2 * square + steps);
  const auto for_values = 7 * steps;
  const auto reals = !is_complex_number<T> ? 0 : u == nullptr ? for_values : for_vectors;
  const auto call = [&](T* from, T* work, const int* size, [[maybe_unused]] real* real_work,
                        int* more) {
    if constexpr (is_complex_number<T>)
      library->gesdd(job, &columns, &rows, from, &columns, s, vh, &columns, u, &u_step, work, size,
                     real_work, more, &info, 1);
    else
      library->gesdd(job, &columns, &rows, from, &columns, s, vh, &columns, u, &u_step, work, size,
                     more, &info, 1);
  };
  const auto ask = [&] {
    asked_sizes<T> asked;
    const int question = -1;
    call(nullptr, &asked.size, &question, &asked.reals, &asked.more);
    return asked_sizes<T>{asked.size};
  };
  const int size = sizes_for<T>(*job, rows, columns, ask).size;
  room own(bytes<T>(a.rows * a.columns + size) + bytes<real>(reals) + bytes<int>(8 * steps), 4);
  T* const copy = own.take<T>(a.rows * a.columns);
  T* const work = own.take<T>(size);
  real* const real_work = own.take<real>(reals);
  int* const more = own.take<int>(8 * steps);
  copy_rows(a, copy);
  if (!all_finite(copy, a.rows * a.columns)) refuse_matrix(args, index, matrix_not_finite);
  call(copy, work, &size, real_work, more);
  if (info != 0) refuse_matrix(args, index, matrix_without_singular_values);
}

/// Finds the eigenvalues of what lies in `a` and, if they are wanted, puts the vectors that belong
/// to them there as rows.
template <class T>
void decompose_symmetric(const kernel_args& args, std::int64_t index, bool vectors,
                         part_of<T>* values, T* a, std::int64_t count) {
  using real = part_of<T>;
  const char* const job = vectors ? "V" : "N";
  const int n = lapack_size(count);
  if (vectors) lapack_size(1 + 6 * count + 2 * count * count);  // what LAPACK works in
  const lapack<T> library;
  int info = 0;
  const auto call = [&](T* work, const int* size, [[maybe_unused]] real* reals,
                        [[maybe_unused]] const int* reals_size, int* more, const int* more_size) {
    if constexpr (is_complex_number<T>)
      library->syevd(job, "L", &n, a, &n, values, work, size, reals, reals_size, more, more_size,
                     &info, 1, 1);
    else library->syevd(job, "L", &n, a, &n, values, work, size, more, more_size, &info, 1, 1);
  };
  const auto ask = [&] {
    asked_sizes<T> asked;
    const int question = -1;
    call(&asked.size, &question, &asked.reals, &question, &asked.more, &question);
    return asked;
  };
  const auto sizes = sizes_for<T>(vectors ? 'v' : 'n', n, n, ask);
  const auto kept = vectors ? 0 : count * count;
  room own(bytes<T>(kept + sizes.size) + bytes<real>(sizes.reals) + bytes<int>(sizes.more), 4);
  if (!vectors) a = own.take<T>(kept);
  T* const work = own.take<T>(sizes.size);
  real* const reals = own.take<real>(sizes.reals);
  int* const more = own.take<int>(sizes.more);
  copy_rows(matrix_of<T>(args.inputs[0], index).transposed(), a);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!all_finite(a + i * count + i, count - i)) refuse_matrix(args, index, matrix_not_finite);
  }
  call(work, &sizes.size, reals, &sizes.reals, more, &sizes.more);
  if (info != 0) refuse_matrix(args, index, matrix_without_eigenvalues);
}

}  // namespace

template <class T>
void svd(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  const bool complete = linalg_attributes_of(args).complete;
  const auto steps = std::min(a.rows, a.columns);
  T* const u = result_of<T>(args, index);
  T* const s = u + a.rows * (complete ? a.rows : steps);
  if constexpr (is_complex_number<T>) {
    std::vector<part_of<T>> values(static_cast<std::size_t>(steps));
    decompose(args, index, complete, u, values.data(), s + steps);
    std::copy(values.begin(), values.end(), s);
  } else {
    decompose(args, index, complete, u, s, s + steps);
  }
}

template <class T>
void svdvals(const kernel_args& args, std::int64_t index) {
  decompose<T>(args, index, false, nullptr, result_of<part_of<T>>(args, index), nullptr);
}

template <class T>
void eigh(const kernel_args& args, std::int64_t index) {
  const auto n = matrix_of<T>(args.inputs[0], index).rows;
  T* const values = result_of<T>(args, index);
  if constexpr (is_complex_number<T>) {
    std::vector<part_of<T>> reals(static_cast<std::size_t>(n));
    decompose_symmetric(args, index, true, reals.data(), values + n, n);
    std::copy(reals.begin(), reals.end(), values);
  } else {
    decompose_symmetric(args, index, true, values, values + n, n);
  }
}

template <class T>
void eigvalsh(const kernel_args& args, std::int64_t index) {
  const auto n = matrix_of<T>(args.inputs[0], index).rows;
  decompose_symmetric<T>(args, index, false, result_of<part_of<T>>(args, index), nullptr, n);
}

#define TROUPE_INSTANTIATE(name)                                               \
  template void name<float>(const kernel_args&, std::int64_t);                 \
  template void name<double>(const kernel_args&, std::int64_t);                \
  template void name<complex_number<float>>(const kernel_args&, std::int64_t); \
  template void name<complex_number<double>>(const kernel_args&, std::int64_t);
TROUPE_INSTANTIATE(svd)
TROUPE_INSTANTIATE(svdvals)
TROUPE_INSTANTIATE(eigh)
TROUPE_INSTANTIATE(eigvalsh)
#undef TROUPE_INSTANTIATE

}  // namespace troupe::cpu_kernels
