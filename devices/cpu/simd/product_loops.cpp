// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/product_loops.hpp"

namespace troupe::TROUPE_ISA {

namespace {

template <class T>
T multiply_add(T sum, T a, T b) noexcept {
  return static_cast<T>(sum + a * b);
}

bool multiply_add(bool sum, bool a, bool b) noexcept { return static_cast<bool>(sum | (a & b)); }

template <class T>
void run(void* out, const void* a, std::int64_t a_step, const void* b, std::int64_t b_row, std::int64_t b_column,
         std::int64_t k, std::int64_t n) {
  T* const sums = static_cast<T*>(out);
  const T* const left = static_cast<const T*>(a);
  const T* const right = static_cast<const T*>(b);
  if (b_column == 1 && n > 1) {
    for (std::int64_t j = 0; j < n; ++j) sums[j] = T(0);
    for (std::int64_t i = 0; i < k; ++i) {
      const T x = left[i * a_step];
      const T* const row = right + i * b_row;
#pragma GCC ivdep
      for (std::int64_t j = 0; j < n; ++j) sums[j] = multiply_add(sums[j], x, row[j]);
    }
    return;
  }
  for (std::int64_t j = 0; j < n; ++j) {
    T sum = T(0);
    for (std::int64_t i = 0; i < k; ++i) sum = multiply_add(sum, left[i * a_step], right[i * b_row + j * b_column]);
    sums[j] = sum;
  }
}

}  // namespace

constexpr product_loops vector_matrix_loops = {
    {run<bool>, run<std::int32_t>, run<std::int64_t>, run<float>, run<double>}};

}  // namespace troupe::TROUPE_ISA
