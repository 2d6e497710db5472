// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cuda {

/// Divisor known in advance, so that quotients need no division: T. Granlund and P. L. Montgomery,
/// "Division by invariant integers using multiplication" (1994). For dividends and divisors below
/// 2^31.
class divisor {
 public:
  divisor() = default;
  explicit divisor(std::uint32_t by) noexcept : by_(by) {
    while ((std::uint64_t{1} << shift_) < by) ++shift_;
    const auto excess = (std::uint64_t{1} << shift_) - by;
    multiplier_ = static_cast<std::uint32_t>((excess << 32) / by + 1);
  }

  TROUPE_BOTH std::uint32_t quotient(std::uint32_t n) const {
    const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * multiplier_) >> 32);
    return (high + n) >> shift_;
  }
  TROUPE_BOTH std::uint32_t by() const { return by_; }

 private:
  std::uint32_t by_ = 1, multiplier_ = 1, shift_ = 0;
};

/// Positions of the elements of several operands of one shape: converts the number of an element,
/// in row-major order, to each operand's offset, counted in elements.
template <int Operands>
class offsets {
 public:
  offsets() = default;
  /// Takes the first operands of a nest.
  explicit offsets(const loop_nest& axes) noexcept : rank_(axes.rank) {
    std::int64_t size = 1;
    for (int axis = 0; axis < rank_; ++axis) size *= axes.shape[axis];
    small_ = size < (std::int64_t{1} << 31);
    for (int axis = 0; axis < rank_; ++axis) {
      sizes_[axis] = axes.shape[axis];
      if (small_ && sizes_[axis] > 0) by_[axis] = divisor(static_cast<std::uint32_t>(sizes_[axis]));
      for (int k = 0; k < Operands; ++k) strides_[k][axis] = axes.strides[k][axis];
    }
  }

  TROUPE_BOTH void at(std::int64_t i, std::int64_t (&out)[Operands]) const {
    for (int k = 0; k < Operands; ++k) out[k] = 0;
    if (small_) {
      auto rest = static_cast<std::uint32_t>(i);
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
      for (int axis = rank_ - 1; axis > 0; --axis) {
        const auto above = by_[axis].quotient(rest);
        step(out, axis, rest - above * by_[axis].by());
        rest = above;
      }
      step(out, 0, rest);
    } else {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
      for (int axis = rank_ - 1; axis > 0; --axis) {
        step(out, axis, i % sizes_[axis]);
        i /= sizes_[axis];
      }
      step(out, 0, i);
    }
  }
  /// Returns the offset in the only operand.
  TROUPE_BOTH std::int64_t operator()(std::int64_t i) const {
    static_assert(Operands == 1);
    std::int64_t out[Operands];
    at(i, out);
    return out[0];
  }

 private:
  TROUPE_BOTH void step(std::int64_t (&out)[Operands], int axis, std::int64_t count) const {
    for (int k = 0; k < Operands; ++k) out[k] += count * strides_[k][axis];
  }

  int rank_ = 1;
  bool small_ = true;
  std::int64_t sizes_[max_rank] = {1};
  divisor by_[max_rank];
  std::int64_t strides_[Operands][max_rank] = {};
};

/// Returns the offsets of one array.
inline offsets<1> offsets_of(const array& x) noexcept { return offsets<1>(merge_axes({&x, 1})); }

}  // namespace troupe::cuda
