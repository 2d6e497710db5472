// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <source_location>
#include <string>

#include "troupe/tasks/trace.hpp"

namespace troupe {

/// Writes a trace as Chrome's JSON ("Trace Event Format"): one track per lane, an arrow for each
/// dependency, counters for pending tasks and live bytes. Times are microseconds from the first
/// event.
void write_chrome_trace(const trace_log& log, std::ostream& out);
/// Writes the same to a file. Throws troupe::error if it cannot be written.
void write_chrome_trace(const trace_log& log, const std::string& path, std::source_location where);

}  // namespace troupe
