// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/progress.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_shown = 30;

std::string row_of(const session& s, const task_state& t, const std::vector<task_state>& all) {
  std::string name = s.name_of(t.sequence);
  name = (name.empty() ? "" : name + " = ") + std::string(t.name);
  return "#" + std::to_string(t.sequence) + " " + name + ", " + place_text(t.call_site) + ": " +
         progress_text(s, t, all);
}

void jobs(session& s, const command_input&) {
  const auto all = s.engine().tasks();
  if (all.empty()) return s.reporting().text("    nothing is pending\n");
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), most_shown); ++i)
    out += "    " + row_of(s, all[i], all) + "\n";
  if (all.size() > most_shown)
    out += "    and " + std::to_string(all.size() - most_shown) + " more\n";
  s.reporting().text(out);
}

void wait(session& s, const command_input& given) {
  if (!given.has()) return s.wait_all();
  const auto value = s.evaluate(given.expression());
  s.wait(to_array(value, "wait", {}), {});
}

void cancel(session& s, const command_input&) {
  const auto before = s.engine().pending();
  s.engine().cancel_all();
  s.reporting().text(before == 0 ? "    nothing was pending\n"
                                 : "    what had not started is cancelled\n");
}

/// Explanation of a task and of those that it waits for.
struct explanation {
  std::set<std::uint64_t> tasks;  ///< visited tasks
  std::set<std::string> lines;    ///< quoted lines of inputs
  std::string text;
};

/// Explains why a task is not done, and why those that it waits for are not. Quotes each line once.
void explain_task(const session& s, std::uint64_t sequence, const std::vector<task_state>& all,
                  const std::string& margin, explanation& out) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const task_state& t) { return t.sequence == sequence; });
  if (found == all.end() || out.text.size() > 4'000) return;
  out.text += margin + row_of(s, *found, all) + "\n";
  const auto line = s.texts().quote(found->call_site);
  if (line && out.lines.insert(place_text(found->call_site) + line->text).second)
    out.text += margin + "    " + line->text + "\n";
  for (const auto input : found->waits_for) {
    if (out.tasks.insert(input).second) explain_task(s, input, all, margin + "  ", out);
  }
}

void explain(session& s, const command_input& given) {
  const auto value = s.evaluate(given.expression());
  const auto* array = std::get_if<tensor>(&value);
  if (!array || !array->defined())
    throw error("explain: wants an array, not " + describe(value), {});
  const auto all = s.engine().tasks();
  explanation out;
  explain_task(s, array->source()->sequence, all, "    ", out);
  if (array->failed()) out.text = "    it failed: " + failure_text(*array) + "\n";
  else if (out.text.empty() || array->ready()) out.text = "    it is ready\n";
  s.reporting().text(out.text);
}

}  // namespace

std::vector<command> task_commands() {
  const command_argument array{"ARRAY", argument_kind::expression};
  const command_argument expression{"EXPRESSION", argument_kind::expression, false};
  return {
      {"jobs", "Tasks", {}, "the tasks that have not ended, and what keeps them", jobs},
      {"wait", "Tasks", {expression}, "wait for it, or for everything", wait},
      {"cancel", "Tasks", {}, "have everything fail that has not started", cancel},
      {"explain",
       "Tasks",
       {array},
       "why it is not ready: what it waits for, where that is",
       explain},
  };
}

}  // namespace troupe::shell
