// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cpu/simd/select.hpp"

namespace troupe::cpu_kernels {

/// The parts of complex numbers of several lines side by side: number i of line c is element
/// i * lines + c of both.
template <class T>
struct line_parts {
  T* re;
  T* im;
};

/// A pass of Stockham's algorithm (W. T. Cochran et al., "What is the fast Fourier transform?",
/// 1967): transforms of `length` numbers, `stride` elements apart, become `radix` times as many of
/// length / radix.
template <class T>
struct fft_pass {
  int radix;
  std::int64_t length;
  std::int64_t stride;
  const T* turns;  ///< for p < length / radix and 0 < j < radix exp(-2 pi i j p / length), in parts
  const T* roots;  ///< for k < radix exp(-2 pi i k / radix), in parts
};

/// The places of lines of complex numbers in memory, in numbers.
struct line_steps {
  std::int64_t number;  ///< from one number of a line to the next
  std::int64_t line;    ///< from a number to that of the next line
};

/// The loops of Fourier transforms.
template <class T>
struct fft_loops {
  /// Of a radix that is 4, 2 or an odd prime up to 13.
  void (*pass)(const fft_pass<T>& p, line_parts<const T> x, line_parts<T> y);
  /// Takes `lines` lines of n complex numbers apart.
  void (*split)(line_parts<T> to, const T* from, line_steps steps, std::int64_t n,
                std::int64_t lines);
  /// Puts them together again, multiplied by a scale.
  void (*join)(T* to, line_steps steps, line_parts<const T> from, std::int64_t n,
               std::int64_t lines, T scale);
  /// Multiplies number i of line c by first[i / 16 * lines + c] and onward[i % 16 * lines + c].
  void (*turn)(line_parts<T> x, line_parts<const T> first, line_parts<const T> onward,
               std::int64_t n, std::int64_t lines);
  // Two neighbouring real numbers are one complex one: its transform of n numbers has the
  // transforms of the even and of the odd places in it. `turns` are exp(-2 pi i k / 2n) for k < n,
  // in parts.
  /// From these n numbers to the first n + 1 results of the 2n real ones.
  void (*unpack)(line_parts<T> to, line_parts<const T> from, const T* turns, std::int64_t n,
                 std::int64_t lines);
  /// The other way round, but twice as much; imaginary parts of what must be real do not count.
  void (*pack)(line_parts<T> to, line_parts<const T> from, const T* turns, std::int64_t n,
               std::int64_t lines);
};

struct fft_table {
  fft_loops<float> of_float;
  fft_loops<double> of_double;
};

TROUPE_DECLARE_TABLE(fft_table, transforms)

}  // namespace troupe::cpu_kernels
