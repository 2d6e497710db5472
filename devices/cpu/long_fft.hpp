// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "troupe/devices/cpu/short_fft.hpp"

namespace troupe::cpu_kernels {

/// A long transform in two rounds of short ones, which fit into caches and can be shared: the
/// numbers form a matrix, whose columns are transformed and turned, then its rows, whose results
/// are the columns of the result (W. M. Gentleman, G. Sande, "Fast Fourier transforms for fun and
/// profit", 1966). Threads may do parts of a round at once; the bits do not depend on the parts.
template <class T>
class long_fft {
 public:
  using number = std::complex<T>;

  /// Returns true for lengths that are long and have a good divisor, and short_fft takes.
  static bool takes(std::int64_t length) noexcept;
  long_fft(std::int64_t length, bool inverse);

  std::int64_t length() const noexcept { return length_; }
  bool inverse() const noexcept { return inverse_; }
  std::size_t bytes() const noexcept;
  /// A round consists of blocks of so many lines, the last one of fewer.
  static constexpr std::int64_t block = 64 / static_cast<std::int64_t>(sizeof(T));
  std::int64_t blocks_of_columns() const noexcept { return (columns() + block - 1) / block; }
  std::int64_t blocks_of_rows() const noexcept { return (rows() + block - 1) / block; }
  /// Bytes of scratch memory that a thread needs.
  std::size_t scratch_bytes() const noexcept;

  /// Transforms blocks [first, last) of columns of `in` to `room`, which has the same size.
  void transform_columns(const number* in, number* room, std::int64_t first, std::int64_t last,
                         void* scratch) const;
  /// Transforms blocks [first, last) of rows to `out`, multiplied by a scale.
  void transform_rows(const number* room, number* out, T scale, std::int64_t first,
                      std::int64_t last, void* scratch) const;

 private:
  std::int64_t rows() const noexcept { return of_columns_.length(); }
  std::int64_t columns() const noexcept { return of_rows_.length(); }
  /// exp(-2 pi i exponent / length), or its conjugate.
  std::complex<double> turn(std::int64_t exponent) const noexcept;
  void turn_columns(line_parts<T> x, std::int64_t column, std::int64_t width, T* scratch) const;

  std::int64_t length_;
  bool inverse_;
  short_fft<T> of_columns_, of_rows_;
  int low_bits_;
  std::vector<std::complex<double>> low_, high_;  ///< turns of exponents and of 2^low_bits times
};

/// Returns one of those that are kept, the latest of them, or a new one.
template <class T>
std::shared_ptr<const long_fft<T>> shared_long_fft(std::int64_t length, bool inverse);

}  // namespace troupe::cpu_kernels
