// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/runs.hpp"

#include <algorithm>

#include "troupe/devices/layout/tiling.hpp"

namespace troupe::cuda {

namespace {

constexpr std::int64_t warp = 32;  // threads that read together

std::int64_t pieces(std::int64_t length, std::int64_t of) noexcept {
  return (length + of - 1) / of;
}

/// Returns the axis for runs: one that an input prefers, or else the longest. Enough elements must
/// follow it to be read together; -1 if there is no such axis.
int run_axis(const loop_nest& axes, const std::int64_t* behind, int inputs) noexcept {
  for (int k = 0; k < inputs; ++k) {
    if (const int axis = tiling::tall_axis(axes, k); axis >= 0 && behind[axis] >= warp) return axis;
  }
  int best = -1;
  for (int axis = 0; axis < axes.rank - 1; ++axis) {
    if (behind[axis] >= warp && (best < 0 || axes.shape[axis] >= axes.shape[best])) best = axis;
  }
  return best;
}

/// Splits a single axis into a grid of groups of threads. A thread's elements are as far apart as a
/// group is wide.
void split(run_plan& plan, int inputs, int length) noexcept {
  auto& axes = plan.inputs;
  plan.bound = axes.shape[0];
  plan.bound_step = plan.result_step = warp;
  axes.rank = 2;
  axes.shape[0] = pieces(axes.shape[0], warp * length);
  axes.shape[1] = warp;
  for (int k = 0; k < inputs; ++k) {
    const auto step = axes.strides[k][0];
    axes.strides[k][0] = warp * length * step;
    axes.strides[k][1] = step;
    plan.steps[k] = warp * step;
  }
  plan.result = axes;
  for (auto& strides : plan.result.strides) strides[0] = warp * length, strides[1] = 1;
}

}  // namespace

run_plan plan_runs(std::span<const array> inputs, int length) noexcept {
  const auto count = static_cast<int>(inputs.size());
  run_plan plan;
  auto& axes = plan.inputs = merge_axes(inputs);
  if (axes.rank == 1) {
    split(plan, count, length);
  } else {
    std::int64_t behind[max_rank];  // also the strides of the output
    std::int64_t size = 1;
    for (int axis = axes.rank - 1; axis >= 0; --axis) behind[axis] = size, size *= axes.shape[axis];
    const int along = run_axis(axes, behind, count);
    auto& result = plan.result;
    result.rank = axes.rank;
    std::copy(behind, behind + axes.rank, result.strides[0]);
    if (along >= 0) {
      plan.bound = axes.shape[along];
      plan.result_step = behind[along];
      result.strides[1][along] = length;
      result.strides[0][along] *= length;
      axes.shape[along] = pieces(axes.shape[along], length);
      for (int k = 0; k < count; ++k) {
        plan.steps[k] = axes.strides[k][along];
        axes.strides[k][along] *= length;
      }
    }
    std::copy(axes.shape, axes.shape + axes.rank, result.shape);
  }
  plan.threads = 1;
  for (int axis = 0; axis < axes.rank; ++axis) plan.threads *= axes.shape[axis];
  return plan;
}

}  // namespace troupe::cuda
