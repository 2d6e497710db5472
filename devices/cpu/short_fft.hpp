// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "troupe/devices/cpu/simd/fft_loops.hpp"

namespace troupe::cpu_kernels {

/// Transforms of one length that has no prime factor above 13, of several lines side by side. The
/// bits of a line do not depend on the others. Any number of threads may use it at once.
template <class T>
class short_fft {
 public:
  static bool takes(std::int64_t length) noexcept;
  explicit short_fft(std::int64_t length);

  std::int64_t length() const noexcept { return length_; }
  std::size_t bytes() const noexcept { return numbers_.size() * sizeof(T); }
  /// The greatest number of lines that are worth transforming together: their parts, and as much
  /// for the results, stay in a cache.
  static std::int64_t lines_abreast(std::int64_t length) noexcept;

  /// Transforms the lines in `x`, with `y` of the same size for scratch. Returns which of the two
  /// has the results.
  line_parts<T> run(line_parts<T> x, line_parts<T> y, std::int64_t lines, bool inverse) const;

  static const fft_loops<T>& loops() noexcept;

 private:
  struct stage {
    int radix;
    std::int64_t length;
    std::size_t turns, roots;  ///< where they are among the numbers
  };

  void add_stage(int radix, std::int64_t length);

  std::int64_t length_;
  std::vector<stage> stages_;
  std::vector<T> numbers_;
};

}  // namespace troupe::cpu_kernels
