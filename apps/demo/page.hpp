// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "troupe/actors/runtime.hpp"
#include "troupe/apps/demo/table.hpp"
#include "troupe/apps/timeline.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe::demo {

/// Output of an experiment.
class page {
 public:
  struct settings {
    timeline_style style = {};
    bool quick = false;
    double free_cores = 1;        ///< when the demo started
    std::string trace_file = {};  ///< empty: no trace is saved
  };

  page(std::ostream& out, settings s) : out_(out), settings_(std::move(s)) {}

  /// Returns `real`, or `small` in a quick run.
  template <class T>
  T size(T real, T small) const {
    return settings_.quick ? small : real;
  }

  void title(std::string_view text);
  /// Writes a paragraph, broken into lines.
  void text(std::string_view paragraph);
  /// Writes the lines of code that the experiment is about.
  void code(std::string_view lines);
  void figures(const table& t);
  /// Writes how much of the log overlaps, and draws its timeline.
  void timeline(std::string_view caption, const trace_log& log);
  /// Warns, if fewer than two cores are free, that work which runs at the same time then takes
  /// longer.
  void warn_of_missing_cores();
  /// Saves the trace of the whole life of a runtime, if traces are wanted.
  void keep_trace(const runtime& rt);

 private:
  std::ostream& out_;
  settings settings_;
};

}  // namespace troupe::demo
