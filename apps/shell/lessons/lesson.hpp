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

}  // namespace troupe::shell
