// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <source_location>
#include <string>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Attributes of a timed task: it fails if its input is still pending at `when`.
struct deadline {
  std::chrono::steady_clock::time_point when;
  std::chrono::nanoseconds given;  ///< time from its submission to `when`
};

/// Returns the deadline after a time from now; the last there is if that would overflow. Throws for
/// a time that is not positive.
deadline deadline_after(std::chrono::nanoseconds most, std::source_location call_site);

/// Gives a timed task its deadline. Its output takes no memory.
void begin_timed(task& t, const deadline& d);

/// Returns what a task fails with at its deadline: "not computed after 50 ms".
std::string text_of_missed(const deadline& d);

/// Makes the output of a timed task, whose input has settled, share the input's elements, or fail
/// with it.
void share_input(task& t) noexcept;

extern const operation within_operation;

}  // namespace troupe
