// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "troupe/tasks/trace.hpp"

namespace troupe {

/// Overlap of the tasks in a trace, with times in seconds.
struct overlap_report {
  struct lane {
    std::string name;
    double busy = 0;  ///< time in which it ran tasks
    std::size_t tasks = 0;
  };

  std::size_t tasks = 0;
  double wall = 0;           ///< from the first task's start to the last one's end
  double work = 0;           ///< busy time of all lanes together
  double critical_path = 0;  ///< longest chain of tasks that depend on each other
  std::vector<lane> lanes;   ///< lanes that ran anything
  bool partial = false;      ///< only the latest tasks are included, as many as a trace keeps

  /// Returns work per wall time: 1 if tasks ran one at a time, at most the number of lanes.
  double factor() const noexcept { return wall > 0 ? work / wall : 0; }
};

/// Measures the overlap of the tasks in a trace.
overlap_report measure_overlap(const trace_log& log);

std::ostream& operator<<(std::ostream& out, const overlap_report& r);

}  // namespace troupe
