// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell {

namespace {

void begin(session& s, const command_input& given) {
  if (given.text() == "stop") return s.teacher().stop();
  if (given.has()) return s.teacher().begin(s, given.number());
  std::string out;
  std::size_t number = 0;
  for (const auto& one : all_lessons())
    out += "    " + std::to_string(++number) + "  " + std::string(one.title) + "\n";
  s.reporting().text(out);
}

}  // namespace

std::vector<command> lesson_commands() {
  return {{"lesson",
           "Help",
           {{"N", argument_kind::number, false, {"stop"}, 1, all_lessons().size()}},
           "a tour: a few inputs, checked as you go",
           begin}};
}

}  // namespace troupe::shell
