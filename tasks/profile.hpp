// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "troupe/tasks/trace.hpp"

namespace troupe {

/// Time that operations took in a trace, in seconds. It is the busy time of lanes: a task whose
/// chunks several lanes shared counts once as a call, and its time on each lane counts.
struct profile_report {
  struct operation {
    std::string name;
    std::size_t calls = 0;
    double total = 0;

    double mean() const noexcept { return calls > 0 ? total / static_cast<double>(calls) : 0; }
  };

  std::vector<operation> operations;  ///< those that took most time first
  double total = 0;                   ///< time of all operations together
  bool partial = false;  ///< only the latest tasks are included, as many as a trace keeps

  /// Returns an operation's part of the time, from 0 to 1.
  double share(const operation& o) const noexcept { return total > 0 ? o.total / total : 0; }
};

/// Adds up the time of each operation in a trace.
profile_report measure_profile(const trace_log& log);

/// Writes a table: name, calls, total, mean and share of each operation.
std::ostream& operator<<(std::ostream& out, const profile_report& r);

}  // namespace troupe
