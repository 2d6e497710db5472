// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include "troupe/devices/cuda/kernels/reduction_rows.hpp"

namespace troupe::cuda {

// Sums of float32 are kept in float32, of which many are merged in pairs; variances and products in
// float64.

namespace {

std::uint32_t axes_of(const kernel_args& args) noexcept {
  return static_cast<const reduction_attributes*>(args.attributes)->axes;
}

/// Returns the smallest distance of neighbours along any axis.
std::int64_t least_step(const loop_nest& axes) noexcept {
  std::int64_t least = INT64_MAX;
  for (int axis = 0; axis < axes.rank; ++axis) {
    if (const auto step = axes.strides[0][axis]; step != 0 && axes.shape[axis] > 1)
      least = std::min(least, step < 0 ? -step : step);
  }
  return least;
}

}  // namespace

std::int64_t reduced_size(const kernel_args& args) noexcept {
  const array& in = args.inputs[0];
  std::int64_t n = 1;
  for (int axis = 0; axis < in.rank; ++axis) {
    if (axes_of(args) >> axis & 1) n *= in.shape[axis];
  }
  return n;
}

reduction_layout::reduction_layout(const kernel_args& args, int pack_width) noexcept {
  const array& in = args.inputs[0];
  kept = merge_axes({&in, 1}, ~axes_of(args));
  reduced = merge_axes({&in, 1}, axes_of(args));
  const auto results = kept.size(), elements = reduced.size();
  rows = kind::scattered;
  if (pack_width > 0 && two_axes_do(kept, results)) {
    if (two_axes_do(reduced, elements / pack_width) &&
        fits_packs(in.data, size_of(in.type), pack_width, kept, reduced, 0))
      rows = kind::packed;
    else if (reduced.rank == 1) rows = kind::plain;
  }
  const auto along_rows = least_step(reduced) <= least_step(kept);
  plan = plan_fold(results, rows == kind::packed ? elements / pack_width : elements, along_rows);
}

const kernel* reduction_kernel(reduction_op op, dtype input) noexcept {
  if (!is_computed(input)) return nullptr;
  switch (op) {
    case reduction_op::sum:
    case reduction_op::prod:
    case reduction_op::mean:
    case reduction_op::sum_of_squares: return sum_kernel(op, input);
    case reduction_op::max:
    case reduction_op::min:
    case reduction_op::any:
    case reduction_op::all: return extreme_kernel(op, input);
    case reduction_op::argmax:
    case reduction_op::argmin: return position_kernel(op, input);
    case reduction_op::variance:
    case reduction_op::logsumexp: break;
  }
  return statistic_kernel(op, input);
}

}  // namespace troupe::cuda
