// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/product_loops.hpp"

#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class T>
T multiply_add(T sum, T a, T b) noexcept {
  return static_cast<T>(sum + a * b);
}

bool multiply_add(bool sum, bool a, bool b) noexcept { return static_cast<bool>(sum | (a & b)); }

/// Sixteen sums side by side, as one sum would wait for itself at every step.
template <class T>
T dot(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, std::int64_t k) noexcept {
  constexpr std::int64_t side_by_side = 16;
  if (k < side_by_side) {
    T sum = T(0);
    for (std::int64_t i = 0; i < k; ++i) sum = multiply_add(sum, a[i * a_step], b[i * b_step]);
    return sum;
  }
  T sums[side_by_side] = {};
  const std::int64_t whole = k / side_by_side * side_by_side;
  if (a_step == 1 && b_step == 1) {
    for (std::int64_t i = 0; i < whole; i += side_by_side) {
      for (std::int64_t j = 0; j < side_by_side; ++j)
        sums[j] = multiply_add(sums[j], a[i + j], b[i + j]);
    }
  } else {
    for (std::int64_t i = 0; i < whole; i += side_by_side) {
      for (std::int64_t j = 0; j < side_by_side; ++j)
        sums[j] = multiply_add(sums[j], a[(i + j) * a_step], b[(i + j) * b_step]);
    }
  }
  for (std::int64_t i = whole; i < k; ++i)
    sums[i - whole] = multiply_add(sums[i - whole], a[i * a_step], b[i * b_step]);
  for (std::int64_t half = side_by_side / 2; half > 0; half /= 2) {
    for (std::int64_t j = 0; j < half; ++j) sums[j] = multiply_add(sums[j], sums[j + half], T(1));
  }
  return sums[0];
}

template <class T>
void run(void* out, const void* a, std::int64_t a_step, const void* b, std::int64_t b_row,
         std::int64_t b_column, std::int64_t k, std::int64_t n) {
  T* const sums = static_cast<T*>(out);
  const T* const left = static_cast<const T*>(a);
  const T* const right = static_cast<const T*>(b);
  if (b_column == 1 && n > 3) {
    for (std::int64_t j = 0; j < n; ++j) sums[j] = T(0);
    std::int64_t i = 0;
    for (; i + 8 <= k; i += 8) {
      const T* const x = left + i * a_step;
      const T* const rows = right + i * b_row;
#pragma GCC ivdep
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = sums[j];
#pragma GCC unroll 8
        for (std::int64_t r = 0; r < 8; ++r)
          sum = multiply_add(sum, x[r * a_step], rows[r * b_row + j]);
        sums[j] = sum;
      }
    }
    for (; i < k; ++i) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < n; ++j)
        sums[j] = multiply_add(sums[j], left[i * a_step], right[i * b_row + j]);
    }
    return;
  }
  for (std::int64_t j = 0; j < n; ++j) sums[j] = dot(left, a_step, right + j * b_column, b_row, k);
}

}  // namespace

constexpr product_loops vector_matrix_loops = [] {
  product_loops table{};
  for_each_computed(
      [&](auto zero) { table.loops[number_of(dtype_of<decltype(zero)>())] = run<decltype(zero)>; });
  return table;
}();

namespace {

template <linear_op Op, class T>
T finished(T sum) noexcept {
  return Op == linear_op::linear_relu ? scalar_functions::maximum(sum, T(0)) : sum;
}

template <linear_op Op, class T>
void run(void* out, std::int64_t out_step, const void* bias, std::int64_t bias_step,
         std::int64_t rows, std::int64_t columns) {
  T* row = static_cast<T*>(out);
  const T* const added = static_cast<const T*>(bias);
  for (std::int64_t i = 0; i < rows; ++i, row += out_step) {
    if (bias_step == 1) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < columns; ++j) row[j] = finished<Op>(row[j] + added[j]);
    } else {
      for (std::int64_t j = 0; j < columns; ++j)
        row[j] = finished<Op>(row[j] + added[j * bias_step]);
    }
  }
}

template <class T>
constexpr void fill(bias_table_of_loops& table) {
  constexpr auto type = static_cast<int>(dtype_of<T>());
  table.loops[static_cast<int>(linear_op::linear)][type] = run<linear_op::linear, T>;
  table.loops[static_cast<int>(linear_op::linear_relu)][type] = run<linear_op::linear_relu, T>;
}

constexpr bias_table_of_loops make_table() {
  bias_table_of_loops table{};
  fill<float>(table);
  fill<double>(table);
  return table;
}

}  // namespace

constexpr bias_table_of_loops bias_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
