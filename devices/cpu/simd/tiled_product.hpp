// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "troupe/devices/cpu/simd/select.hpp"

namespace troupe::cpu_kernels {

/// The stretches in which the k terms of each element of a product are summed up, before their sums
/// are: at most 256 terms each (float64: 128), and about as many.
template <class T>
[[gnu::always_inline]] constexpr std::int64_t stretches_of(std::int64_t k) noexcept {
  constexpr std::int64_t most = 1024 / static_cast<std::int64_t>(sizeof(T));
  return (k + most - 1) / most;
}

/// The number of the first term of a stretch.
template <class T>
[[gnu::always_inline]] constexpr std::int64_t first_term(std::int64_t k,
                                                         std::int64_t stretch) noexcept {
  return k * stretch / stretches_of<T>(k);
}

/// The product of two matrices of floats, wherever their elements lie. Each element is the sum of
/// the sums of its stretches, one after the other, whatever the shapes: it has the same bits in
/// whatever block of the product, and beside whatever other rows and columns, it is made.
template <class T>
struct matrix_product {
  T* out;  ///< [m, n], its rows `out_row` elements apart
  std::int64_t out_row;
  const T* a;  ///< [m, k]
  std::int64_t a_row, a_column;
  const T* b;  ///< [k, n]
  std::int64_t b_row, b_column;
  std::int64_t m, n, k;
  /// Room for parts of `a` and `b` where they are copied to lie side by side, 64-byte aligned.
  T* room;
};

template <class T>
struct product_tiles {
  void (*multiply)(const matrix_product<T>& p);
  /// Returns the bytes of room that a product needs.
  std::size_t (*room_for)(const matrix_product<T>& p);
  /// Multiplications up to which it is quicker than OpenBLAS.
  std::int64_t most_work;
};

struct product_tile_table {
  product_tiles<float> single;
  product_tiles<double> wide;
};

TROUPE_DECLARE_TABLE(product_tile_table, tiled_products)

/// The functions for T and this CPU.
template <class T>
const product_tiles<T>& select_product_tiles() noexcept {
  const product_tile_table& table = TROUPE_SELECT(tiled_products);
  if constexpr (std::is_same_v<T, float>) return table.single;
  else return table.wide;
}

}  // namespace troupe::cpu_kernels
