// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/window_strips.hpp"

#include <algorithm>
#include <utility>

#include "troupe/devices/cpu/simd/convolution_loops.hpp"

namespace troupe::cpu_kernels {

window_axis sliding_windows(std::int64_t inputs, std::int64_t outputs, const window_steps& kernel) {
  window_axis axis{inputs, outputs, kernel.stride, {}};
  for (std::int64_t i = 0; i < kernel.size; ++i)
    axis.taps.push_back({i * kernel.dilation - kernel.padding, i});
  return axis;
}

window_axis transposed_windows(std::int64_t inputs, std::int64_t outputs,
                               const window_steps& kernel, std::int64_t phase) {
  const std::int64_t seen = phase < inputs ? (inputs - phase - 1) / kernel.stride + 1 : 0;
  window_axis axis{outputs, seen, 1, {}};
  for (std::int64_t i = 0; i < kernel.size; ++i) {
    const std::int64_t distance = phase + kernel.padding - i * kernel.dilation;
    if (distance % kernel.stride == 0) axis.taps.push_back({distance / kernel.stride, i});
  }
  return axis;
}

namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// The part of [start, start + length) that is in [0, size).
share overlap(std::int64_t start, std::int64_t length, std::int64_t size) noexcept {
  share s(0, 0, 1);
  s.end = std::clamp<std::int64_t>(size - start, 0, length);
  s.begin = std::clamp<std::int64_t>(-start, 0, s.end);
  return s;
}

}  // namespace

window_strips::window_strips(window_axis down, window_axis along)
    : down_(std::move(down)), along_(std::move(along)) {
  std::int64_t last = 0;
  for (const auto& tap : down_.taps) {
    const std::int64_t row = floor_divide(tap.shift, down_.stride);
    const std::int64_t phase = tap.shift - row * down_.stride;
    const auto found = std::find(phases_.begin(), phases_.end(), phase);
    const bool front = places_.empty();
    first_ = front ? row : std::min(first_, row);
    last = front ? row : std::max(last, row);
    places_.push_back({found - phases_.begin(), row});
    if (found == phases_.end()) phases_.push_back(phase);
  }
  for (auto& p : places_) p.row -= first_;
  span_ = last - first_;
  for (const std::int64_t phase : phases_) last_phase_ = std::max(last_phase_, phase);
  for (const auto& tap : along_.taps) {
    first_shift_ = &tap == along_.taps.data() ? tap.shift : std::min(first_shift_, tap.shift);
    last_shift_ = &tap == along_.taps.data() ? tap.shift : std::max(last_shift_, tap.shift);
  }
}

/// The planes of taps [first, first + count) along the rows, of a channel.
template <class T>
void window_strips::copy_planes(T* to, const T* patch, std::int64_t row_step, std::int64_t first,
                                std::int64_t count, const window_band& band) const {
  const auto& loops = select_convolution_loops<T>();
  const std::int64_t rows = band.rows + span_;
  for (std::int64_t tap = first; tap < first + count; ++tap) {
    for (const std::int64_t phase : phases_) {
      loops.copy_rows({.to = to,
                       .to_row = band.columns,
                       .from = patch + phase * row_step +
                               along_.taps[static_cast<std::size_t>(tap)].shift - first_shift_,
                       .from_row = down_.stride * row_step,
                       .step = along_.stride,
                       .rows = rows,
                       .count = band.columns});
      to += rows * band.columns;
    }
  }
}

template <class T>
void window_strips::copy(T* to, std::int64_t* offsets, T* patch, const array& images,
                         std::int64_t channel, const share& planes, const window_band& band) const {
  const auto across = static_cast<std::int64_t>(along_.taps.size());
  const std::int64_t size = plane_size(band.rows, band.columns);
  for (std::int64_t p = 0; p < planes.size(); ++p) {
    for (const place& at : places_)
      *offsets++ = p * size + (at.phase * (band.rows + span_) + at.row) * band.columns;
  }
  if (size == 0) return;

  const std::int64_t height = patch_rows(band.rows), width = patch_columns(band.columns);
  const std::int64_t top = down_.stride * (band.row + first_),
                     left = along_.stride * band.column + first_shift_;
  const share rows = overlap(top, height, down_.inputs),
              columns = overlap(left, width, along_.inputs);
  const std::int64_t down = images.strides[2], along = images.strides[3];
  const bool as_it_lies = along == 1 && rows.size() == height && columns.size() == width;
  if (!as_it_lies) std::fill_n(patch, height * width, T(0));
  for (std::int64_t i = 0; i < band.images; ++i) {
    for (std::int64_t p = planes.begin; p < planes.end;) {
      const std::int64_t first = p % across, count = std::min(across - first, planes.end - p);
      const T* const plane = images.as<T>() + (band.image + i) * images.strides[0] +
                             (channel + p / across) * images.strides[1];
      const T* const from = plane + (top + rows.begin) * down + (left + columns.begin) * along;
      if (!as_it_lies)
        select_convolution_loops<T>().copy_rows({.to = patch + rows.begin * width + columns.begin,
                                                 .to_row = width,
                                                 .from = from,
                                                 .from_row = down,
                                                 .step = along,
                                                 .rows = rows.size(),
                                                 .count = columns.size()});
      copy_planes(to, as_it_lies ? from : patch, as_it_lies ? down : width, first, count, band);
      p += count;
      to += count * size;
    }
  }
}

template void window_strips::copy(float*, std::int64_t*, float*, const array&, std::int64_t,
                                  const share&, const window_band&) const;
template void window_strips::copy(double*, std::int64_t*, double*, const array&, std::int64_t,
                                  const share&, const window_band&) const;

}  // namespace troupe::cpu_kernels
