// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "troupe/devices/cpu/fft_plan.hpp"

namespace troupe::cpu_kernels {

/// A long transform in two rounds of short ones, which fit into caches and can be shared: the
/// numbers form a matrix, whose columns are transformed and turned, then its rows, whose results
/// are the columns of the result (W. M. Gentleman, G. Sande, "Fast Fourier transforms for fun and
/// profit", 1966). Threads may do parts of a round at once. Results do not depend on the parts.
template <class T>
class long_fft {
 public:
  using number = std::complex<T>;

  /// The number of rows for a length, or 0 for one that is not long or has no good divisor.
  static std::int64_t rows_for(std::int64_t length) noexcept;
  /// The numbers in a table of turns for a length.
  static std::size_t table_size(std::int64_t length) noexcept;
  /// The table lies in memory of the caller's, which fills it once.
  long_fft(std::int64_t length, bool inverse, const std::complex<double>* table) noexcept;
  void fill(std::complex<double>* table) const noexcept;

  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t columns() const noexcept { return columns_; }
  /// A round consists of blocks of this many lines, the last one of fewer.
  static constexpr std::int64_t block = 8;
  std::int64_t blocks_of_columns() const noexcept { return (columns_ + block - 1) / block; }
  std::int64_t blocks_of_rows() const noexcept { return (rows_ + block - 1) / block; }
  /// Numbers of scratch memory that a thread needs.
  std::size_t scratch_size() const noexcept;

  /// Transforms blocks [first, last) of columns of `in` to `room`, which has the same size. The
  /// plan is of rows() numbers.
  void transform_columns(fft_plan<T>& plan, const number* in, number* room, std::int64_t first,
                         std::int64_t last, number* scratch) const;
  /// Transforms blocks [first, last) of rows to `out`, multiplied by a scale. The plan is of
  /// columns() numbers.
  void transform_rows(fft_plan<T>& plan, const number* room, number* out, T scale,
                      std::int64_t first, std::int64_t last, number* scratch) const;

 private:
  /// exp(-2 pi i exponent / length), or its conjugate.
  std::complex<double> turn(std::int64_t exponent) const noexcept;
  void turn_column(number* x, std::int64_t column) const noexcept;

  std::int64_t length_, rows_, columns_;
  bool inverse_;
  int low_bits_;
  const std::complex<double>*
      table_;  ///< turns of small exponents, then of multiples of 2^low_bits
};

}  // namespace troupe::cpu_kernels
