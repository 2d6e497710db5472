// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/devices/layout/matrices.hpp"

namespace troupe::cpu_kernels {

/// Copies a matrix row by row.
template <class T>
void copy_rows(const matrix<const T>& from, T* to) noexcept {
  if (from.right == 1) {
    for (std::int64_t i = 0; i < from.rows; ++i)
      std::memcpy(to + i * from.columns, from.data + i * from.down,
                  static_cast<std::size_t>(from.columns) * sizeof(T));
    return;
  }
  // In tiles, so that lines of the cache are read once.
  constexpr std::int64_t tile = 16;
  for (std::int64_t row = 0; row < from.rows; row += tile) {
    const auto last_row = std::min(row + tile, from.rows);
    for (std::int64_t column = 0; column < from.columns; column += tile) {
      const auto last_column = std::min(column + tile, from.columns);
      for (std::int64_t i = row; i < last_row; ++i) {
        for (std::int64_t j = column; j < last_column; ++j)
          to[i * from.columns + j] = from.data[i * from.down + j * from.right];
      }
    }
  }
}

template <class T>
bool all_finite(const T* x, std::int64_t n) noexcept {
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum = sum + x[i] * T(0);
  return sum == T(0);
}

/// Returns a number's absolute value.
template <class T>
double magnitude(T x) noexcept {
  if constexpr (is_complex_number<T>)
    return std::hypot(static_cast<double>(x.re), static_cast<double>(x.im));
  else return std::abs(static_cast<double>(x));
}

template <class T>
part_of<T> real_part(T x) noexcept {
  if constexpr (is_complex_number<T>) return x.re;
  else return x;
}

/// Returns x * 2^power.
template <class T>
T scaled_by(T x, int power) noexcept {
  if constexpr (is_complex_number<T>) return {std::ldexp(x.re, power), std::ldexp(x.im, power)};
  else return std::ldexp(x, power);
}

/// Throws what `about_matrix` says.
[[noreturn]] void refuse_matrix(const kernel_args& args, std::int64_t index, const char* facts);

/// The bytes of so many elements.
template <class T>
constexpr std::size_t bytes(std::int64_t n) noexcept {
  return static_cast<std::size_t>(n) * sizeof(T);
}

/// Room for several arrays: in the workspace of the thread or, if it is large, in memory of its own
/// that goes when the computation ends.
class room {
 public:
  /// Takes room for so many bytes, of `parts` arrays.
  room(std::size_t bytes, int parts);

  template <class T>
  T* take(std::int64_t n) noexcept {
    T* const out = reinterpret_cast<T*>(next_);
    next_ += (bytes<T>(n) + alignment - 1) / alignment * alignment;
    return out;
  }

 private:
  static constexpr std::size_t alignment = 64;
  struct deleter {
    void operator()(std::byte* memory) const noexcept {
      ::operator delete (memory, std::align_val_t{alignment});
    }
  };

  std::unique_ptr<std::byte, deleter> own_;
  std::byte* next_;
};

}  // namespace troupe::cpu_kernels
