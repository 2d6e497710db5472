// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

namespace troupe::testing {

/// Returns true if two numbers are equal up to rounding: both NaN, or equal, or both finite with a
/// distance of at most `tolerance` times the size of `b`, or times `scale` if that is larger.
inline bool near(double a, double b, double tolerance, double scale = 1) {
  if (std::isnan(a) && std::isnan(b)) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= tolerance * std::max(scale, std::abs(b));
}

}  // namespace troupe::testing
