// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/flag.hpp"
#include "troupe/tensor/tensor.hpp"

/// Values between points, and the intervals in which numbers lie. Points are vectors in ascending
/// order; others give some results.

namespace troupe {

/// Values of an interpolation outside its points. Absent: as at the outermost.
struct interp_options {
  std::optional<double> left = {};
  std::optional<double> right = {};
};

/// The piecewise linear function through the points (xp, fp) at each element of `x`; NaN at NaN. Of
/// bool and integers: float64; dtypes are promoted, gradients flow to `x` and `fp`, which may be
/// complex. Throws unless `xp` and `fp` are vectors of the same length, and not empty.
tensor interp(const tensor& x, const tensor& xp, const tensor& fp,
              const interp_options& options = {}, caller where = caller::current());

/// int64: the number of the interval between edges in which each element lies, from 0 below the
/// first edge; an edge belongs to the interval above it, or, if `right`, to the one below it. The
/// edges ascend, which is not looked at.
tensor digitize(const tensor& x, const tensor& edges, flag right = false,
                caller where = caller::current());

}  // namespace troupe
