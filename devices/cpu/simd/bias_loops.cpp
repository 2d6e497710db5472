// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/bias_loops.hpp"

#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

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
  table.at[static_cast<int>(linear_op::linear)][type] = run<linear_op::linear, T>;
  table.at[static_cast<int>(linear_op::linear_relu)][type] = run<linear_op::linear_relu, T>;
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
