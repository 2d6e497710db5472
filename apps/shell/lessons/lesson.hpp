// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/evaluator/evaluator_host.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe::shell {

class session;

/// What came of the last input, as lessons look at it.
struct outcome {
  bool good = true;
  std::string facts = {};                   ///< of the mistake, if it was one
  std::optional<block_timing> timing = {};  ///< if it had a `time` block
  bool showed_value = false;
};

/// What an input lacks that a step of a lesson is about, in words; empty: nothing.
using lesson_check = std::function<std::string(session& s, const outcome& o)>;

/// Something to try, and how to see that it was.
struct lesson_step {
  std::string_view say;    ///< what it is about
  std::string_view input;  ///< what to type; Enter alone types it
  lesson_check lacks;
  std::string_view seen;  ///< what that has shown
  /// A sentence with what was measured, if there is one.
  std::string (*measured)(const outcome& o) = nullptr;
};

struct lesson {
  std::string_view title;
  std::vector<lesson_step> steps;
};

std::span<const lesson> all_lessons();

/// Goes through one lesson, an input at a time.
class tutor {
 public:
  bool teaching() const noexcept { return lesson_ != nullptr; }
  /// What Enter alone means.
  std::string_view suggestion() const noexcept;
  /// Begins a lesson, counted from 1. Throws if there is none of that number.
  void begin(session& s, std::size_t number);
  /// Looks at what came of an input, and goes on if it was what the step is about.
  void look(session& s, const outcome& o);
  void stop() noexcept { lesson_ = nullptr; }

 private:
  void tell(session& s) const;

  const lesson* lesson_ = nullptr;
  std::size_t number_ = 0;
  std::size_t step_ = 0;
};

}  // namespace troupe::shell
