// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "troupe/devices/array.hpp"
#include "troupe/devices/cuda/kernels/conversion.hpp"
#include "troupe/devices/cuda/kernels/pack.hpp"
#include "troupe/devices/cuda/offsets.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cuda {

/// Division of the elements of inputs of any strides, and of a contiguous output, among threads. A
/// thread takes a run of elements along one axis and computes its start only once. Neighbouring
/// threads take neighbouring elements of the output; if an input's neighbouring elements lie along
/// another axis than the last, the runs go along that axis, so that each line of memory is still
/// used as a whole.
struct run_plan {
  std::int64_t threads = 0;
  loop_nest inputs;  ///< starts of the runs
  loop_nest result;  ///< the same for the output, and for the position that `bound` limits
  std::int64_t steps[loop_nest::max_operands] = {};  ///< along a run
  std::int64_t result_step = 0;
  std::int64_t bound = 1, bound_step = 1;
};

/// Plans runs of at most `length` elements; there is at least one element.
run_plan plan_runs(std::span<const array> inputs, int length) noexcept;

/// Runs of the threads; reads their elements of an input.
template <int Inputs>
class runs {
 public:
  struct run {
    std::int64_t begins[Inputs + 2];  ///< of the inputs, the output, and the bounded position
    std::int64_t left, step;

    TROUPE_BOTH bool has(int j) const { return j * step < left; }
  };

  explicit runs(const run_plan& plan) noexcept
      : rank_(plan.inputs.rank),
        small_(plan.threads < std::int64_t{1} << 31),
        result_step_(plan.result_step),
        bound_(plan.bound),
        bound_step_(plan.bound_step) {
    for (int axis = 0; axis < rank_; ++axis) {
      const auto size = plan.inputs.shape[axis];
      sizes_[axis] = size;
      if (small_) by_[axis] = divisor(static_cast<std::uint32_t>(size));
      for (int k = 0; k < Inputs; ++k) strides_[axis][k] = plan.inputs.strides[k][axis];
      for (int k = 0; k < 2; ++k) strides_[axis][Inputs + k] = plan.result.strides[k][axis];
    }
    for (int k = 0; k < Inputs; ++k) steps_[k] = plan.steps[k];
  }

  TROUPE_BOTH run of_thread(std::int64_t i) const {
    run r{};
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int axis = rank_ - 1; axis > 0; --axis) {
      const auto above =
          small_ ? by_[axis].quotient(static_cast<std::uint32_t>(i)) : i / sizes_[axis];
      move(r, axis, i - above * sizes_[axis]);
      i = above;
    }
    move(r, 0, i);
    r.left = bound_ - r.begins[Inputs + 1];
    r.step = bound_step_;
    return r;
  }

  /// Reads input k as To; elements beyond the run are left alone.
  template <int Length, class From, class To>
  TROUPE_BOTH void read(To (&to)[Length], const run& r, int k, const From* data) const {
    const From* const from = data + r.begins[k];
    const auto step = steps_[k];
    if constexpr (std::is_same_v<From, To>) {
      if (step == 1 && r.has(Length - 1) && packable<To, Length>(from))
        return read_pack<Length>(to, from);
    }
    for (int j = 0; j < Length; ++j) {
      if (r.has(j)) to[j] = converted<To>(from[j * step]);
    }
  }
  /// Returns the position in the output of element j of a run.
  TROUPE_BOTH std::int64_t result(const run& r, int j) const {
    return r.begins[Inputs] + j * result_step_;
  }

 private:
  TROUPE_BOTH void move(run& r, int axis, std::int64_t count) const {
    for (int k = 0; k < Inputs + 2; ++k) r.begins[k] += count * strides_[axis][k];
  }

  int rank_;
  bool small_;
  divisor by_[max_rank];
  std::int64_t sizes_[max_rank];
  std::int64_t strides_[max_rank][Inputs + 2];
  std::int64_t steps_[Inputs];
  std::int64_t result_step_, bound_, bound_step_;
};

}  // namespace troupe::cuda
