// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/tasks/trace.hpp"

namespace troupe::shell {

/// Draws a trace as SVG: a row for each lane that ran anything, a box for each task, time from left
/// to right.
std::string timeline_svg(const trace_log& log);

}  // namespace troupe::shell
