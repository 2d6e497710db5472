// SPDX-License-Identifier: MIT
#include <charconv>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell {

namespace {

void begin(session& s, std::string_view text) {
  if (text == "stop") return s.teacher().stop();
  std::size_t number = 0;
  if (text.empty()) {
    std::string out;
    for (const auto& one : all_lessons())
      out += "    " + std::to_string(++number) + "  " + std::string(one.title) + "\n";
    return s.reporting().text(out);
  }
  const auto end = text.data() + text.size();
  if (std::from_chars(text.data(), end, number).ptr != end) misused("lesson");
  s.teacher().begin(s, number);
}

}  // namespace

std::vector<command> lesson_commands() {
  return {{"lesson", "Help", "[N | stop]", "a tour: a few inputs, checked as you go", begin}};
}

}  // namespace troupe::shell
