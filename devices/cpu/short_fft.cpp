// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/short_fft.hpp"

#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

namespace troupe::cpu_kernels {

namespace {

constexpr int radices[] = {4, 2, 3, 5, 7, 11, 13};

/// Appends the parts of exp(-2 pi i k / n).
template <class T>
void append_turn(std::vector<T>& to, std::int64_t k, std::int64_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  to.push_back(static_cast<T>(std::cos(angle)));
  to.push_back(static_cast<T>(std::sin(angle)));
}

}  // namespace

template <class T>
bool short_fft<T>::takes(std::int64_t length) noexcept {
  for (const int radix : radices) {
    while (length % radix == 0) length /= radix;
  }
  return length == 1;
}

template <class T>
short_fft<T>::short_fft(std::int64_t length) : length_(length) {
  auto left = length;
  for (const int radix : radices) {
    for (; left % radix == 0; left /= radix) add_stage(radix, left);
  }
}

template <class T>
void short_fft<T>::add_stage(int radix, std::int64_t length) {
  stage one{radix, length, numbers_.size(), 0};
  for (std::int64_t p = 0; p < length / radix; ++p) {
    for (int j = 1; j < radix; ++j) append_turn(numbers_, j * p, length);
  }
  one.roots = numbers_.size();
  for (int k = 0; k < radix; ++k) append_turn(numbers_, k, radix);
  stages_.push_back(one);
}

template <class T>
std::int64_t short_fft<T>::lines_abreast(std::int64_t length) noexcept {
  constexpr std::int64_t cache = std::int64_t{1} << 18;
  std::int64_t lines = 64 / static_cast<std::int64_t>(sizeof(T));
  while (lines > 1 && 4 * static_cast<std::int64_t>(sizeof(T)) * length * lines > cache) lines /= 2;
  return lines;
}

template <class T>
const fft_loops<T>& short_fft<T>::loops() noexcept {
  const auto& all = TROUPE_SELECT(transforms);
  if constexpr (std::is_same_v<T, float>) return all.of_float;
  else return all.of_double;
}

template <class T>
line_parts<T> short_fft<T>::run(line_parts<T> x, line_parts<T> y, std::int64_t lines,
                                bool inverse) const {
  // With its parts exchanged, a line is transformed the other way round.
  const auto turned = [&](line_parts<T> p) { return inverse ? line_parts<T>{p.im, p.re} : p; };
  x = turned(x), y = turned(y);
  const auto pass = loops().pass;
  auto stride = lines;
  for (const auto& s : stages_) {
    pass({s.radix, s.length, stride, numbers_.data() + s.turns, numbers_.data() + s.roots},
         {x.re, x.im}, y);
    std::swap(x, y);
    stride *= s.radix;
  }
  return turned(x);
}

template class short_fft<float>;
template class short_fft<double>;

}  // namespace troupe::cpu_kernels
