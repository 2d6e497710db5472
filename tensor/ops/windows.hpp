// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/flag.hpp"
#include "troupe/tensor/tensor.hpp"

/// Windows that slide along an axis, and weights that fade at the ends of one.

namespace troupe {

/// A view of all windows of neighbouring elements along an axis, `step` elements apart: there are
/// (n - size) / step + 1 of them, and a last axis of `size` elements goes along each. No element is
/// copied; gradients add up. NumPy's sliding_window_view, PyTorch's unfold. Throws for sizes and
/// steps below 1, and windows longer than the axis.
tensor sliding_windows(const tensor& x, std::int64_t size, int axis = -1, std::int64_t step = 1,
                       caller where = caller::current());

/// Weights of a window of n samples, float32 where the options name no dtype: from one end to the
/// other, or, if `periodic`, those of a window of n + 1 samples without the last, as Fourier
/// transforms want them. Hann: 0.5 - 0.5 cos; Hamming: 0.54 - 0.46 cos; Blackman: 0.42 - 0.5 cos +
/// 0.08 cos of the double; Bartlett: a triangle. A single weight is 1. Throw for negative n.
tensor hann(std::int64_t n, flag periodic = false, const tensor_options& options = {},
            caller where = caller::current());
tensor hamming(std::int64_t n, flag periodic = false, const tensor_options& options = {},
               caller where = caller::current());
tensor blackman(std::int64_t n, flag periodic = false, const tensor_options& options = {},
                caller where = caller::current());
tensor bartlett(std::int64_t n, flag periodic = false, const tensor_options& options = {},
                caller where = caller::current());

}  // namespace troupe
