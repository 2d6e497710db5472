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

/// What an experiment writes on.
class page {
 public:
  struct settings {
    timeline_style style = {};
    bool quick = false;
    double free_cores = 1;        ///< that were to be had when the demo started
    std::string trace_file = {};  ///< empty: no trace is saved
  };

  page(std::ostream& out, settings s) : out_(out), settings_(std::move(s)) {}

  /// `real`, or `small` where a quick run is wanted.
  template <class T>
  T size(T real, T small) const {
    return settings_.quick ? small : real;
  }

  void title(std::string_view text);
  /// A paragraph, broken into lines.
  void text(std::string_view paragraph);
  /// What the experiment runs in essence.
  void code(std::string_view lines);
  void figures(const table& t);
  /// What the log says about overlap, and its timeline.
  void timeline(std::string_view caption, const trace_log& log);
  /// If two cores are not to be had: says what that does to figures about things that run at the
  /// same time.
  void warn_of_missing_cores();
  /// Saves the trace of the whole life of a runtime, if traces are wanted.
  void keep_trace(const runtime& rt);

 private:
  std::ostream& out_;
  settings settings_;
};

}  // namespace troupe::demo
