// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/session/report.hpp"
#include "troupe/language/evaluator/dynamic_value.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe::shell {

using namespace language;

class session;

/// Result of the last input, as lessons see it.
struct outcome {
  bool good = true;
  std::string facts = {};                   ///< of the mistake, if it was one
  std::optional<block_timing> timing = {};  ///< if it had a `time` block
  bool showed_value = false;
};

/// Check of an input for a step of a lesson: says what is missing; empty if nothing is.
using lesson_check = std::function<std::string(session& s, const outcome& o)>;

/// Exercise, and the check that it was done.
struct lesson_step {
  std::string_view say;    ///< explanation before it
  std::string_view input;  ///< input to type; Enter alone types it
  lesson_check lacks;
  std::string_view seen;  ///< conclusion after it
  /// Returns a sentence with the measured times, if there are some.
  std::string (*measured)(const outcome& o) = nullptr;
};

struct lesson {
  std::string_view title;
  std::vector<lesson_step> steps;
};

std::span<const lesson> all_lessons();

/// Tutor for one lesson, an input at a time.
class tutor {
 public:
  bool teaching() const noexcept { return lesson_ != nullptr; }
  /// Returns the input that Enter alone stands for.
  std::string_view suggestion() const noexcept;
  /// Begins a lesson, counted from 1. Throws if there is no such lesson.
  void begin(session& s, std::size_t number);
  /// Checks the result of an input, and goes on to the next step if it passes.
  void look(session& s, const outcome& o);
  void stop() noexcept { lesson_ = nullptr; }

 private:
  void tell(session& s) const;

  const lesson* lesson_ = nullptr;
  std::size_t number_ = 0;
  std::size_t step_ = 0;
};

/// Checks that the input succeeded and an array has this name now.
lesson_check array_is_named(std::string_view name);
/// Checks that the input succeeded and began with this command.
lesson_check command_is(std::string_view command);
lesson_check value_was_shown();
/// Checks that the input failed, or showed a failure, with this in its text.
lesson_check mistake_tells(std::string_view part);

/// Checks that an operation, or every one, was made that many seconds slower.
lesson_check is_slow(std::string_view operation, double seconds);
lesson_check nothing_is_slow();
lesson_check lanes_at_least(int lanes);
lesson_check devices_at_least(std::size_t devices);

/// Checks that a `time` block had that many tasks.
lesson_check tasks_were_timed(std::size_t tasks);
/// Checks that different tasks ran at the same time.
lesson_check tasks_overlapped();
/// Checks that one task needed another, and that none began before the tasks it needs had ended.
lesson_check tasks_kept_data_order();
/// Checks that tasks ran one after the other.
lesson_check tasks_ran_alone();
/// Checks that something was copied between devices.
lesson_check something_was_copied();

}  // namespace troupe::shell
