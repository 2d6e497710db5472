// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include "troupe/devices/cuda/gemm.hpp"
#include "troupe/devices/cuda/kernels/gather.hpp"

// Operands of products on a GPU.

namespace troupe::cuda {

inline std::int64_t rows(const array& x) noexcept { return x.shape[x.rank - 2]; }
inline std::int64_t columns(const array& x) noexcept { return x.shape[x.rank - 1]; }
inline std::int64_t down(const array& x) noexcept { return x.strides[x.rank - 2]; }
inline std::int64_t right(const array& x) noexcept { return x.strides[x.rank - 1]; }

inline bool by_rows(const array& x) noexcept { return right(x) == 1 || columns(x) == 1; }

/// Returns true if `gemm` can read the matrices in place.
inline bool readable(const array& x) noexcept {
  for (int axis = 0; axis < x.rank - 2; ++axis) {
    if (x.shape[axis] != 1 && x.strides[axis] < 0) return false;
  }
  if (by_rows(x)) return rows(x) == 1 || down(x) >= columns(x);
  return (down(x) == 1 || rows(x) == 1) && right(x) >= rows(x);
}

/// Operand as `gemm` will read it: in place, or a copy.
class factor {
 public:
  explicit factor(const array& x) noexcept : copied_(!readable(x)), rank_(x.rank) {
    std::copy_n(x.shape, x.rank, shape_);
    std::copy_n(x.strides, x.rank, strides_);
    if (copied_) {
      // Repeated matrices are copied once.
      for (int axis = 0; axis < x.rank - 2; ++axis) {
        if (x.strides[axis] == 0) shape_[axis] = 1;
      }
      std::int64_t step = 1;
      for (int axis = x.rank - 1; axis >= 0; step *= shape_[axis--])
        strides_[axis] = shape_[axis] == 1 ? 0 : step;
      lies = {nullptr, columns(x)};
      bytes_ = whole_lines(static_cast<std::size_t>(step) * size_of(x.type));
    } else if (by_rows(x)) {
      lies = {x.data, rows(x) == 1 ? columns(x) : down(x)};
    } else {
      lies = {x.data, right(x), 0, true};
    }
  }

  std::size_t scratch_bytes() const noexcept { return bytes_; }
  /// Makes the copy in scratch memory, if one is needed. `x` is the array this was made from.
  void ready(stream& on, const array& x, std::byte* scratch) {
    if (!copied_) return;
    lies.data = scratch;
    gather(on, {x.data, x.type, x.rank, shape_, x.strides}, scratch);
  }
  /// Returns the batch axes, for a batch of this shape.
  array batch(const std::int64_t* shape) const noexcept {
    return {nullptr, float32, rank_ - 2, shape, strides_};
  }

  matrices lies{};

 private:
  bool copied_;
  int rank_;
  std::size_t bytes_ = 0;
  std::int64_t shape_[max_rank], strides_[max_rank];
};

}  // namespace troupe::cuda
