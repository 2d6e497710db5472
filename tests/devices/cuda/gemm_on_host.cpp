// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/devices/cuda/grid.hpp"

// Substitute for the GPU's BLAS where kernels run on the host.

namespace troupe::cuda {

namespace {

/// One matrix of a batch; it may be transposed in memory.
template <class T>
struct matrix {
  T* data;
  std::int64_t down, right;

  matrix(const matrices& x, std::int64_t number)
      : data(static_cast<T*>(x.data) + number * x.batch_step),
        down(x.transposed ? 1 : x.step),
        right(x.transposed ? x.step : 1) {}
  T& at(std::int64_t row, std::int64_t column) const { return data[row * down + column * right]; }
};

template <class T>
void multiply(const product_shape& sizes, const matrix<const T>& a, const matrix<const T>& b,
              const matrix<T>& c, bool add) {
  using sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  std::vector<sum> row(static_cast<std::size_t>(sizes.n));
  for (std::int64_t i = 0; i < sizes.m; ++i) {
    for (std::int64_t j = 0; j < sizes.n; ++j)
      row[static_cast<std::size_t>(j)] = add ? static_cast<sum>(c.at(i, j)) : sum(0);
    for (std::int64_t l = 0; l < sizes.k; ++l) {
      for (std::int64_t j = 0; j < sizes.n; ++j)
        row[static_cast<std::size_t>(j)] +=
            static_cast<sum>(a.at(i, l)) * static_cast<sum>(b.at(l, j));
    }
    for (std::int64_t j = 0; j < sizes.n; ++j)
      c.at(i, j) = static_cast<T>(row[static_cast<std::size_t>(j)]);
  }
}

template <class T>
void multiply_all(const product_shape& sizes, const matrices& a, const matrices& b,
                  const matrices& c, bool add) {
  for (std::int64_t i = 0; i < sizes.batch; ++i) multiply<T>(sizes, {a, i}, {b, i}, {c, i}, add);
}

/// Adds the bias to c, and applies relu if wanted.
void finish(const product_shape& sizes, const matrix<float>& c, const float* bias, linear_op op) {
  for (std::int64_t i = 0; i < sizes.m; ++i) {
    for (std::int64_t j = 0; j < sizes.n; ++j) {
      auto& x = c.at(i, j);
      x += bias[j];
      if (op == linear_op::linear_relu && x < 0) x = 0;
    }
  }
}

}  // namespace

// It has kernels for float32 only, so the path without them is tested with float64.
bool fused_gemm(stream& on, dtype type, linear_op op, const product_shape& sizes, const matrices& a,
                const matrices& b, const matrices& c, const void* bias) {
  if (type != float32) return false;
  const auto misplaced = [](const void* address, std::size_t alignment) {
    return reinterpret_cast<std::uintptr_t>(address) % alignment != 0;
  };
  if (misplaced(bias, fused_bias_alignment))
    throw std::runtime_error("an address that the GPU's BLAS cannot use");
  put(on, [=] {
    multiply_all<float>(sizes, a, b, c, false);
    finish(sizes, {c, 0}, static_cast<const float*>(bias), op);
  });
  return true;
}

void gemm(stream& on, dtype type, const product_shape& sizes, const matrices& a, const matrices& b,
          const matrices& c, bool add) {
  put(on, [=] {
    visit(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (is_floating(dtype_of<T>())) multiply_all<T>(sizes, a, b, c, add);
    });
  });
}

}  // namespace troupe::cuda
