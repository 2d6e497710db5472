// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace troupe::shell {

/// Numbers as a curve over their position, for a terminal: `width` columns by `height` lines, with
/// the scale on the left. What is not finite is left out.
std::string draw_curve(std::span<const double> numbers, int width, int height);

/// How many numbers lie in each of so many equal intervals, as bars.
std::string draw_histogram(std::span<const double> numbers, int bins, int width);

}  // namespace troupe::shell
