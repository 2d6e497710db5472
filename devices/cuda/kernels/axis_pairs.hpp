// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/offsets.hpp"

namespace troupe::cuda {

/// Axes that two operands are traversed along together, outermost first. An operand's stride is 0
/// along an axis it does not have.
class axis_pairs {
 public:
  void add(std::int64_t size, std::int64_t stride, std::int64_t other) noexcept {
    shape_[rank_] = size;
    strides_[0][rank_] = stride;
    strides_[1][rank_++] = other;
  }

  offsets<2> merged() const noexcept {
    const array both[] = {{nullptr, boolean, rank_, shape_, strides_[0]},
                          {nullptr, boolean, rank_, shape_, strides_[1]}};
    return offsets<2>(merge_axes(both));
  }

 private:
  int rank_ = 0;
  std::int64_t shape_[max_rank], strides_[2][max_rank];
};

}  // namespace troupe::cuda
