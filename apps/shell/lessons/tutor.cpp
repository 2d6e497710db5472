// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/lessons/lesson.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

std::string_view tutor::suggestion() const noexcept {
  return lesson_ ? lesson_->steps[step_].input : std::string_view();
}

void tutor::begin(session& s, std::size_t number) {
  const auto lessons = all_lessons();
  if (number < 1 || number > lessons.size())
    throw error("there are lessons 1 to " + std::to_string(lessons.size()), {});
  if (s.restore_defaults()) s.reporting().text("    back to the usual lanes, devices and speed\n");
  lesson_ = &lessons[number - 1];
  number_ = number;
  step_ = 0;
  s.reporting().text("\n    Lesson " + std::to_string(number) + ": " + std::string(lesson_->title) +
                     "\n");
  tell(s);
}

void tutor::tell(session& s) const {
  const auto& step = lesson_->steps[step_];
  s.reporting().text("\n    " + std::string(step.say) +
                     "\n    Try (Enter alone types it):  " + std::string(step.input) + "\n");
}

void tutor::look(session& s, const outcome& o) {
  if (!lesson_) return;
  const auto& step = lesson_->steps[step_];
  if (const auto lacking = step.lacks(s, o); !lacking.empty()) {
    s.reporting().text("    Not quite yet: " + lacking + ". Try:  " + std::string(step.input) +
                       "\n");
    return;
  }
  s.reporting().text("    " + std::string(step.seen) +
                     (step.measured ? " " + step.measured(o) : "") + "\n");
  if (++step_ < lesson_->steps.size()) return tell(s);
  lesson_ = nullptr;
  const auto next = number_ + 1;
  s.reporting().text(next <= all_lessons().size()
                         ? "\n    That was lesson " + std::to_string(number_) + ". :lesson " +
                               std::to_string(next) +
                               " goes on: " + std::string(all_lessons()[number_].title) + ".\n"
                         : "\n    That was the last lesson. :help shows what else there is.\n");
}

}  // namespace troupe::shell
