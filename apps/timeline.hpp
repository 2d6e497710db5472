// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "troupe/tasks/trace.hpp"

namespace troupe {

/// Returns true for a terminal that shows colours, unless the user has set NO_COLOR.
bool colour_wanted(int file_descriptor);

/// Options of a timeline's drawing.
struct timeline_style {
  int width = 100;      ///< columns of a line, the names of the lanes included
  bool colour = false;  ///< with ANSI escape sequences
};

/// Returns the options for standard output: as wide as the terminal, in colour unless NO_COLOR is
/// set; plain and 100 columns wide if it is no terminal.
timeline_style style_of_stdout();

/// Draws what ran when: a row for each lane that ran anything, time from left to right, a letter
/// for the operation that took most of a column's time, and below them a scale and what the letters
/// mean.
///
///     cpu:0 lane 0  |MMMMMMMM|MMMMMMMMMS
///     cpu:1 lane 0  ..........|CCCCc....
///                   0                  12.3 ms
void draw_timeline(std::ostream& out, const trace_log& log, const timeline_style& style = {});

}  // namespace troupe
