// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/devices/cuda/grid.hpp"

// What stands for the GPU's BLAS where kernels run on the host.

namespace troupe::cuda {

namespace {

/// One matrix of a batch; it may lie transposed.
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
  for (std::int64_t i = 0; i < sizes.m; ++i) {
    if (!add) std::fill_n(&c.at(i, 0), sizes.n, T(0));
    for (std::int64_t l = 0; l < sizes.k; ++l)
      for (std::int64_t j = 0; j < sizes.n; ++j) c.at(i, j) += a.at(i, l) * b.at(l, j);
  }
}

template <class T>
void multiply_all(const product_shape& sizes, const matrices& a, const matrices& b,
                  const matrices& c, bool add) {
  for (std::int64_t i = 0; i < sizes.batch; ++i) multiply<T>(sizes, {a, i}, {b, i}, {c, i}, add);
}

}  // namespace

void gemm(stream& on, dtype type, const product_shape& sizes, const matrices& a, const matrices& b,
          const matrices& c, bool add) {
  put(on, [=] {
    if (type == float32) multiply_all<float>(sizes, a, b, c, add);
    else multiply_all<double>(sizes, a, b, c, add);
  });
}

}  // namespace troupe::cuda
