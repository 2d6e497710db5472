// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/long_fft.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t least_length = std::int64_t{1} << 14, least_rows = 32;
constexpr std::int64_t padding = 8;  // so that lines have places of their own in the cache

/// Half the bits of exponents below a length.
int low_bits_for(std::int64_t length) noexcept {
  return (std::bit_width(static_cast<std::uint64_t>(length)) + 1) / 2;
}

}  // namespace

template <class T>
std::int64_t long_fft<T>::rows_for(std::int64_t length) noexcept {
  if (length < least_length) return 0;
  auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(length)));
  while (rows >= least_rows && length % rows != 0) --rows;
  return rows >= least_rows ? rows : 0;
}

template <class T>
std::size_t long_fft<T>::table_size(std::int64_t length) noexcept {
  const auto low = low_bits_for(length);
  return (std::size_t{1} << low) + static_cast<std::size_t>(length >> low) + 1;
}

template <class T>
long_fft<T>::long_fft(std::int64_t length, bool inverse, const std::complex<double>* table) noexcept
    : length_(length),
      rows_(rows_for(length)),
      columns_(length / rows_),
      inverse_(inverse),
      low_bits_(low_bits_for(length)),
      table_(table) {}

template <class T>
void long_fft<T>::fill(std::complex<double>* table) const noexcept {
  const auto at = [&](std::int64_t exponent) -> std::complex<double> {
    const double angle = 2 * std::numbers::pi * static_cast<double>(exponent) /
                         static_cast<double>(length_) * (inverse_ ? 1 : -1);
    return {std::cos(angle), std::sin(angle)};
  };
  const auto low = std::int64_t{1} << low_bits_;
  for (std::int64_t i = 0; i < low; ++i) table[i] = at(i);
  for (std::int64_t i = 0; i <= length_ >> low_bits_; ++i) table[low + i] = at(i << low_bits_);
}

template <class T>
std::size_t long_fft<T>::scratch_size() const noexcept {
  return static_cast<std::size_t>(2 * block * (std::max(rows_, columns_) + padding));
}

template <class T>
std::complex<double> long_fft<T>::turn(std::int64_t exponent) const noexcept {
  const auto low = std::int64_t{1} << low_bits_;
  return table_[exponent & (low - 1)] * table_[low + (exponent >> low_bits_)];
}

/// x[k] *= exp(-2 pi i column k / length), for all rows k: of 16 of them each the first one's turn,
/// and those from it to the others.
template <class T>
void long_fft<T>::turn_column(number* x, std::int64_t column) const noexcept {
  constexpr std::int64_t group = 16;
  number onward[group];
  for (std::int64_t k = 0; k < group; ++k)
    onward[k] = static_cast<number>(turn(column * k % length_));
  for (std::int64_t first = 0; first < rows_; first += group) {
    const auto begin = static_cast<number>(turn(column * first));
    const auto n = std::min(group, rows_ - first);
    for (std::int64_t k = 0; k < n; ++k) x[first + k] *= begin * onward[k];
  }
}

template <class T>
void long_fft<T>::transform_columns(fft_plan<T>& plan, const number* in, number* room,
                                    std::int64_t first, std::int64_t last, number* scratch) const {
  const auto step = rows_ + padding;
  number *const x = scratch, *const y = scratch + block * step;
  for (auto b = first; b < last; ++b) {
    const auto column = b * block, width = std::min(block, columns_ - column);
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t c = 0; c < width; ++c) x[c * step + i] = in[i * columns_ + column + c];
    }
    for (std::int64_t c = 0; c < width; ++c) {
      plan.transform(x + c * step, y + c * step);
      turn_column(y + c * step, column + c);
    }
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t c = 0; c < width; ++c) room[i * columns_ + column + c] = y[c * step + i];
    }
  }
}

template <class T>
void long_fft<T>::transform_rows(fft_plan<T>& plan, const number* room, number* out, T scale,
                                 std::int64_t first, std::int64_t last, number* scratch) const {
  const auto step = columns_ + padding;
  for (auto b = first; b < last; ++b) {
    const auto row = b * block, width = std::min(block, rows_ - row);
    for (std::int64_t r = 0; r < width; ++r)
      plan.transform(room + (row + r) * columns_, scratch + r * step);
    for (std::int64_t i = 0; i < columns_; ++i) {
      for (std::int64_t r = 0; r < width; ++r)
        out[i * rows_ + row + r] = scratch[r * step + i] * scale;
    }
  }
}

template class long_fft<float>;
template class long_fft<double>;

}  // namespace troupe::cpu_kernels
