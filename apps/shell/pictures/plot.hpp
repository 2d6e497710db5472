// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "troupe/tasks/trace.hpp"

namespace troupe::shell {

/// Draws numbers as a curve over their position, for a terminal: `width` columns by `height` lines,
/// with the scale on the left. Numbers that are not finite are left out.
std::string draw_curve(std::span<const double> numbers, int width, int height);

/// Draws a histogram: bars for the counts of numbers in `bins` equal intervals.
std::string draw_histogram(std::span<const double> numbers, int bins, int width);

/// Draws a trace as SVG: a row for each lane that ran anything, a box for each task, time from left
/// to right.
std::string timeline_svg(const trace_log& log);

}  // namespace troupe::shell
