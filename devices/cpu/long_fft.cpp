// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/long_fft.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <list>
#include <mutex>
#include <numbers>

#include "troupe/devices/fork_lock.hpp"
#include "troupe/devices/made_once.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t least_length = std::int64_t{1} << 14, least_rows = 32;
constexpr std::int64_t group = 16;  // rows whose turns are products with the first one's

/// The greatest divisor up to the square root.
std::int64_t rows_for(std::int64_t length) noexcept {
  auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(length)));
  while (length % rows != 0) --rows;
  return rows;
}

}  // namespace

template <class T>
bool long_fft<T>::takes(std::int64_t length) noexcept {
  return length >= least_length && short_fft<T>::takes(length) && rows_for(length) >= least_rows;
}

template <class T>
long_fft<T>::long_fft(std::int64_t length, bool inverse)
    : length_(length),
      inverse_(inverse),
      of_columns_(rows_for(length)),
      of_rows_(length / rows_for(length)),
      low_bits_((std::bit_width(static_cast<std::uint64_t>(length)) + 1) / 2) {
  const auto at = [&](std::int64_t exponent) -> std::complex<double> {
    const double angle = 2 * std::numbers::pi * static_cast<double>(exponent) /
                         static_cast<double>(length_) * (inverse_ ? 1 : -1);
    return {std::cos(angle), std::sin(angle)};
  };
  for (std::int64_t i = 0; i < std::int64_t{1} << low_bits_; ++i) low_.push_back(at(i));
  for (std::int64_t i = 0; i <= length_ >> low_bits_; ++i) high_.push_back(at(i << low_bits_));
}

template <class T>
std::size_t long_fft<T>::bytes() const noexcept {
  return of_columns_.bytes() + of_rows_.bytes() +
         (low_.size() + high_.size()) * sizeof(std::complex<double>);
}

template <class T>
std::size_t long_fft<T>::scratch_bytes() const noexcept {
  const auto turns = 2 * block * (rows() / group + 1 + group);
  return static_cast<std::size_t>(4 * block * std::max(rows(), columns()) + turns) * sizeof(T);
}

template <class T>
std::complex<double> long_fft<T>::turn(std::int64_t exponent) const noexcept {
  const auto low = exponent & ((std::int64_t{1} << low_bits_) - 1);
  return low_[static_cast<std::size_t>(low)] *
         high_[static_cast<std::size_t>(exponent >> low_bits_)];
}

/// Multiplies number i of column c by exp(-2 pi i c / length).
template <class T>
void long_fft<T>::turn_columns(line_parts<T> x, std::int64_t column, std::int64_t width,
                               T* scratch) const {
  const auto groups = rows() / group + 1;
  const line_parts<T> first{scratch, scratch + groups * width};
  const line_parts<T> onward{first.im + groups * width, first.im + (groups + group) * width};
  const auto put = [&](line_parts<T> to, std::int64_t i, std::int64_t c, std::int64_t exponent) {
    const auto one = turn(exponent % length_);
    to.re[i * width + c] = static_cast<T>(one.real());
    to.im[i * width + c] = static_cast<T>(one.imag());
  };
  for (std::int64_t c = 0; c < width; ++c) {
    for (std::int64_t i = 0; i < groups; ++i) put(first, i, c, (column + c) * i * group);
    for (std::int64_t i = 0; i < group; ++i) put(onward, i, c, (column + c) * i);
  }
  short_fft<T>::loops().turn(x, {first.re, first.im}, {onward.re, onward.im}, rows(), width);
}

namespace {

/// Scratch memory of a thread: the parts of a block before and after a pass, and what follows.
template <class T>
struct block_room {
  line_parts<T> x, y;
  T* rest;

  block_room(void* scratch, std::int64_t numbers) noexcept
      : x{static_cast<T*>(scratch), static_cast<T*>(scratch) + numbers},
        y{x.im + numbers, x.im + 2 * numbers},
        rest(y.im + numbers) {}
};

}  // namespace

template <class T>
void long_fft<T>::transform_columns(const number* in, number* room, std::int64_t first,
                                    std::int64_t last, void* scratch) const {
  const block_room<T> parts(scratch, block * std::max(rows(), columns()));
  const auto& loops = short_fft<T>::loops();
  for (auto b = first; b < last; ++b) {
    const auto column = b * block, width = std::min(block, columns() - column);
    const line_steps steps{columns(), 1};
    loops.split(parts.x, reinterpret_cast<const T*>(in + column), steps, rows(), width);
    const auto found = of_columns_.run(parts.x, parts.y, width, inverse_);
    turn_columns(found, column, width, parts.rest);
    loops.join(reinterpret_cast<T*>(room + column), steps, {found.re, found.im}, rows(), width,
               T(1));
  }
}

template <class T>
void long_fft<T>::transform_rows(const number* room, number* out, T scale, std::int64_t first,
                                 std::int64_t last, void* scratch) const {
  const block_room<T> parts(scratch, block * std::max(rows(), columns()));
  const auto& loops = short_fft<T>::loops();
  for (auto b = first; b < last; ++b) {
    const auto row = b * block, width = std::min(block, rows() - row);
    loops.split(parts.x, reinterpret_cast<const T*>(room + row * columns()), {1, columns()},
                columns(), width);
    const auto found = of_rows_.run(parts.x, parts.y, width, inverse_);
    loops.join(reinterpret_cast<T*>(out + row), {rows(), 1}, {found.re, found.im}, columns(), width,
               scale);
  }
}

template <class T>
std::shared_ptr<const long_fft<T>> shared_long_fft(std::int64_t length, bool inverse) {
  constexpr std::size_t most = 8;
  struct cache {
    fork_lock access;
    std::list<std::shared_ptr<const long_fft<T>>> latest_first;
  };
  static constinit made_once<cache> made;
  auto& [access, latest_first] = made.get();
  const std::lock_guard lock(access);
  for (auto at = latest_first.begin(); at != latest_first.end(); ++at) {
    if ((*at)->length() != length || (*at)->inverse() != inverse) continue;
    latest_first.splice(latest_first.begin(), latest_first, at);
    return latest_first.front();
  }
  latest_first.push_front(std::make_shared<const long_fft<T>>(length, inverse));
  if (latest_first.size() > most) latest_first.pop_back();
  return latest_first.front();
}

template class long_fft<float>;
template class long_fft<double>;
template std::shared_ptr<const long_fft<float>> shared_long_fft<float>(std::int64_t, bool);
template std::shared_ptr<const long_fft<double>> shared_long_fft<double>(std::int64_t, bool);

}  // namespace troupe::cpu_kernels
