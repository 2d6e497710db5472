// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "troupe/devices/cuda/kernels/pack.hpp"
#include "troupe/devices/cuda/offsets.hpp"

/// Positions of the elements of a fold's rows. Rows are numbered along the kept axes, their
/// elements along the reduced ones.

namespace troupe::cuda {

/// Number of elements in the best pack.
template <class T>
inline constexpr int pack_width = 16 / static_cast<int>(sizeof(T));

/// Reads memory that the kernel does not write: such reads may precede its writes and overlap each
/// other.
template <class T>
TROUPE_BOTH T read(const T* from) {
#ifdef __CUDA_ARCH__
  using long_bits = std::conditional_t<alignof(T) == 16, ulonglong2, unsigned long long>;
  using short_bits = std::conditional_t<sizeof(T) == 1, unsigned char, unsigned>;
  using bits = std::conditional_t<(sizeof(T) < 8), short_bits, long_bits>;
  static_assert(sizeof(T) == sizeof(bits));
  const bits raw = __ldg(reinterpret_cast<const bits*>(from));
  T x;
  memcpy(&x, &raw, sizeof x);
  return x;
#else
  return *from;
#endif
}

/// One or two axes: computes the position of element i without a loop, so that compilers find the
/// common parts of successive positions. For fewer than 2^31 elements.
class two_axes {
 public:
  two_axes() = default;
  /// Takes steps of `width` elements along the last axis.
  two_axes(const loop_nest& axes, int operand, int width = 1) noexcept
      : last_(static_cast<std::uint32_t>(std::max<std::int64_t>(1, axes.inner() / width))),
        outer_(axes.rank > 1 ? axes.strides[operand][0] : 0),
        inner_(axes.strides[operand][axes.rank - 1] * width) {}

  TROUPE_BOTH std::int64_t operator()(std::int64_t i) const {
    const auto n = static_cast<std::uint32_t>(i);
    const auto above = last_.quotient(n);
    return above * outer_ + (n - above * last_.by()) * inner_;
  }

 private:
  divisor last_;
  std::int64_t outer_ = 0, inner_ = 0;
};

/// Any number of axes. Slower, but little code, of which every kernel contains several copies.
class many_axes {
 public:
  many_axes() = default;
  many_axes(const loop_nest& axes, int operand) noexcept : rank_(axes.rank) {
    std::int64_t size = 1;
    for (int axis = 0; axis < rank_; ++axis) {
      sizes_[axis] = std::max<std::int64_t>(1, axes.shape[axis]);
      size *= sizes_[axis];
      strides_[axis] = axes.strides[operand][axis];
    }
    small_ = size < std::int64_t{1} << 31;
    for (int axis = 0; small_ && axis < rank_; ++axis)
      by_[axis] = divisor(static_cast<std::uint32_t>(sizes_[axis]));
  }

  TROUPE_BOTH std::int64_t operator()(std::int64_t i) const {
    std::int64_t at = 0;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int axis = rank_ - 1; axis > 0; --axis) {
      const std::int64_t above =
          small_ ? by_[axis].quotient(static_cast<std::uint32_t>(i)) : i / sizes_[axis];
      at += (i - above * sizes_[axis]) * strides_[axis];
      i = above;
    }
    return at + i * strides_[0];
  }

 private:
  int rank_ = 1;
  bool small_ = true;
  std::int64_t sizes_[max_rank] = {1};
  divisor by_[max_rank];
  std::int64_t strides_[max_rank] = {};
};

/// Rows of packs.
template <class T>
struct packed_rows {
  static constexpr int width = pack_width<T>;

  const T* data;
  two_axes kept, reduced;

  TROUPE_BOTH pack<T, width> operator()(std::int64_t row, std::int64_t i) const {
    return read(reinterpret_cast<const pack<T, width>*>(data + kept(row) + reduced(i)));
  }
};

/// Rows along one axis.
template <class T>
struct plain_rows {
  static constexpr int width = 1;

  const T* data;
  two_axes kept;
  std::int64_t step;

  TROUPE_BOTH pack<T, 1> operator()(std::int64_t row, std::int64_t i) const {
    return {read(data + kept(row) + i * step)};
  }
};

/// Rows of any kind.
template <class T>
struct scattered_rows {
  static constexpr int width = 1;

  const T* data;
  many_axes kept, reduced;

  TROUPE_BOTH pack<T, 1> operator()(std::int64_t row, std::int64_t i) const {
    return {read(data + kept(row) + reduced(i))};
  }
};

/// Returns the layout of some of an array's axes, `axes` as in reduction_attributes.
inline bool two_axes_do(const loop_nest& axes, std::int64_t n) noexcept {
  return axes.rank <= 2 && n < std::int64_t{1} << 31;
}

/// Returns true if the rows of an operand can be read in packs of `width` elements: packs are
/// aligned at every start of the last reduced axis, and that axis is a multiple of `width`.
inline bool fits_packs(const void* data, std::size_t size, int width, const loop_nest& kept,
                       const loop_nest& reduced, int operand) noexcept {
  const int last = reduced.rank - 1;
  if (reduced.strides[operand][last] != 1 || reduced.inner() % width != 0 ||
      reinterpret_cast<std::uintptr_t>(data) % (size * static_cast<std::size_t>(width)) != 0)
    return false;
  for (int axis = 0; axis < last; ++axis) {
    if (reduced.strides[operand][axis] % width != 0) return false;
  }
  for (int axis = 0; axis < kept.rank; ++axis) {
    if (kept.strides[operand][axis] % width != 0) return false;
  }
  return true;
}

}  // namespace troupe::cuda
