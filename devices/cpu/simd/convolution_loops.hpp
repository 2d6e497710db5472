// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "troupe/devices/cpu/simd/loops.hpp"

namespace troupe::cpu_kernels {

/// The products that convolutions are made of. The rows of the right factor lie at offsets from one
/// address, and may overlap: row t of `from` starts at from[offsets[t]].
template <class T>
struct convolution_loops {
  static constexpr int most_panel_rows = 8;

  /// The most rows that a panel of the left factor may have on this CPU.
  int panel_rows;
  /// So many elements behind the last one of a row are read, and have no influence.
  std::int64_t read_ahead;
  /// The most rows of each factor of `add_dots`.
  int dot_rows, dot_columns;

  /// A panel of the left factor, [taps, rows], times the right factor, [taps, columns].
  struct panel_product {
    T* out;  ///< [rows, columns], rows `pitch` elements apart
    std::int64_t pitch;
    const T* panel;
    const T* start;  ///< initial value of each row
    bool add;        ///< to what is there
    const T* from;
    const std::int64_t* offsets;
    std::int64_t taps, columns;
    int rows;
  };
  void (*multiply)(const panel_product& p);

  /// sums[i * pitch + places[j]] += the sum over n elements of row i of `left` times row j of
  /// `from`, for each of some images, in which the factors are `left_image` and `from_image`
  /// elements further on. What follows in `left` up to whole vectors is zero.
  struct dot_products {
    T* sums;
    std::int64_t pitch;
    const std::int64_t* places;
    const T* left;
    std::int64_t left_pitch, left_image;
    const T* from;
    const std::int64_t* offsets;
    std::int64_t from_image;
    std::int64_t n, images;
    int rows, columns;
  };
  void (*add_dots)(const dot_products& p);

  /// Rows of `count` elements that are `step` apart, to where they are neighbours.
  struct row_copies {
    T* to;
    std::int64_t to_row;  ///< from one row to the next
    const T* from;
    std::int64_t from_row, step;
    std::int64_t rows, count;
  };
  void (*copy_rows)(const row_copies& c);
};

struct convolution_table {
  convolution_loops<float> single;
  convolution_loops<double> wide;
};

TROUPE_DECLARE_TABLE(convolution_table, convolutions)

/// The loops for T and this CPU.
template <class T>
const convolution_loops<T>& select_convolution_loops() noexcept {
  const convolution_table& table = TROUPE_SELECT(convolutions);
  if constexpr (std::is_same_v<T, float>) return table.single;
  else return table.wide;
}

}  // namespace troupe::cpu_kernels
