// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "troupe/tasks/trace.hpp"

namespace troupe {

/// How much of a trace ran at the same time. Times are in seconds.
struct overlap_report {
  struct lane {
    std::string name;
    double busy = 0;  ///< seconds that it ran tasks
    std::size_t tasks = 0;
  };

  std::size_t tasks = 0;
  double wall = 0;           ///< from the first task's start to the last one's end
  double work = 0;           ///< what all lanes were busy, together
  double critical_path = 0;  ///< the longest chain of tasks that depend on each other
  std::vector<lane> lanes;   ///< those that ran anything
  bool partial = false;      ///< these are only the latest tasks, as many as a trace keeps

  /// Work per wall time: 1 when one thing ran at a time, up to the number of lanes.
  double factor() const noexcept { return wall > 0 ? work / wall : 0; }
};

overlap_report measure_overlap(const trace_log& log);

std::ostream& operator<<(std::ostream& out, const overlap_report& r);

}  // namespace troupe
