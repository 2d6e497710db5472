// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "troupe/actors/runtime.hpp"
#include "troupe/apps/demo/table.hpp"
#include "troupe/apps/timeline.hpp"
#include "troupe/tensor/trace.hpp"

namespace troupe::demo {

/// What an experiment writes on.
class page {
 public:
  /// With an empty `trace_file` no traces are saved.
  page(std::ostream& out, const timeline_style& style, bool quick, std::string trace_file);

  /// `real`, or `small` where a quick run is wanted.
  template <class T>
  T size(T real, T small) const {
    return quick_ ? small : real;
  }

  void title(std::string_view text);
  /// A paragraph, broken into lines.
  void text(std::string_view paragraph);
  /// What the experiment runs in essence.
  void code(std::string_view lines);
  void figures(const table& t);
  /// What the log says about overlap, and its timeline.
  void timeline(std::string_view caption, const trace_log& log);
  /// Saves the trace of the whole life of a runtime, if traces are wanted.
  void keep_trace(const runtime& rt);

 private:
  std::ostream& out_;
  timeline_style style_;
  bool quick_;
  std::string trace_file_;
};

/// On a machine with one core: says what that does to figures about things that run at the same time.
void say_if_one_core(page& p);

}  // namespace troupe::demo
