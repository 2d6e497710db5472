// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

namespace troupe::test {

/// Whether two numbers are the same but for rounding: both NaN, or equal, or both finite and not
/// further apart than `tolerance` times the size of `b`, which counts as `scale` where it is
/// smaller.
inline bool near(double a, double b, double tolerance, double scale = 1) {
  if (std::isnan(a) && std::isnan(b)) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= tolerance * std::max(scale, std::abs(b));
}

}  // namespace troupe::test
