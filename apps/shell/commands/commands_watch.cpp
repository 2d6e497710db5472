// SPDX-License-Identifier: MIT
#include <chrono>
#include <thread>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/progress.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr auto interval = std::chrono::milliseconds(100);

/// Returns a line for each lane: its task, and the number of tasks behind it.
std::vector<std::string> picture(session& s) {
  const auto tasks = s.engine().tasks();
  std::vector<std::string> lines;
  std::size_t live = 0;
  int lane = 0;
  for (const auto& d : s.engine().devices()) {
    live += s.engine().memory(d->id()).live;
    for (int i = 0; i < d->lanes(); ++i, ++lane) {
      std::string now = "idle";
      std::size_t behind = 0;
      for (const auto& t : tasks) {
        if (t.lane != lane || t.device != d->id()) continue;
        if (t.state == task_state::status::running) now = task_name(s, t);
        else ++behind;
      }
      lines.push_back(to_string(d->id()) + " lane " + std::to_string(i) + "  " + now +
                      (behind > 0 ? ", " + std::to_string(behind) + " behind it" : ""));
    }
  }
  lines.push_back(count_text(s.engine().pending(), "task") + " pending, " + bytes_text(live) +
                  " in use");
  return lines;
}

void watch(session& s, const command_input&) {
  for (std::size_t drawn = 0;;) {
    const bool over = s.engine().pending() == 0;
    std::string out = drawn > 0 ? "\033[" + std::to_string(drawn) + "A" : "";
    const auto lines = picture(s);
    for (const auto& line : lines)
      out += "    " + line + (s.options().terminal ? "\033[K\n" : "\n");
    s.reporting().text(out);
    drawn = lines.size();
    if (over || !s.options().terminal || s.stopping()) return;
    std::this_thread::sleep_for(interval);
  }
}

}  // namespace

std::vector<command> watch_commands() {
  return {
      {"watch", "Tasks", {}, "lanes, queue and memory, live until all is done or Ctrl-C", watch}};
}

}  // namespace troupe::shell
