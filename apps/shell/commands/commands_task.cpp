// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "troupe/apps/shell/commands/command.hpp"
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

void jobs(session& s, std::string_view) {
  const auto all = s.engine().tasks();
  if (all.empty()) return s.reporting().text("    nothing is pending\n");
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), most_shown); ++i)
    out += "    " + row_of(s, all[i], all) + "\n";
  if (all.size() > most_shown)
    out += "    and " + std::to_string(all.size() - most_shown) + " more\n";
  s.reporting().text(out);
}

void wait(session& s, std::string_view expression) {
  if (expression.empty()) return s.wait_all();
  const auto value = s.evaluate(expression);
  s.wait(to_array(value, "wait", {}), {});
}

void cancel(session& s, std::string_view) {
  const auto before = s.engine().pending();
  s.engine().cancel_all();
  s.reporting().text(before == 0 ? "    nothing was pending\n"
                                 : "    what had not started is cancelled\n");
}

/// Why a task is not done, and why those that it waits for are not.
void explain_task(const session& s, std::uint64_t sequence, const std::vector<task_state>& all,
                  const std::string& margin, std::set<std::uint64_t>& told, std::string& out) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const task_state& t) { return t.sequence == sequence; });
  if (found == all.end() || out.size() > 4'000) return;
  out += margin + row_of(s, *found, all) + "\n";
  if (const auto line = s.texts().quote(found->call_site))
    out += margin + "    " + line->text + "\n";
  for (const auto input : found->waits_for)
    if (told.insert(input).second) explain_task(s, input, all, margin + "  ", told, out);
}

void explain(session& s, std::string_view expression) {
  if (expression.empty()) misused("explain");
  const auto value = s.evaluate(expression);
  const auto* array = std::get_if<tensor>(&value);
  if (!array || !array->defined())
    throw error("explain: wants an array, not " + describe(value), {});
  const auto all = s.engine().tasks();
  std::string out;
  std::set<std::uint64_t> told;
  explain_task(s, array->source()->sequence, all, "    ", told, out);
  if (array->failed()) out = "    it failed: " + failure_text(*array) + "\n";
  else if (out.empty() || array->ready()) out = "    it is ready\n";
  s.reporting().text(out);
}

}  // namespace

std::vector<command> task_commands() {
  return {
      {"jobs", "Tasks", "", "the tasks that have not ended, and what keeps them", jobs},
      {"wait", "Tasks", "[EXPRESSION]", "wait for it, or for everything", wait},
      {"cancel", "Tasks", "", "have everything fail that has not started", cancel},
      {"explain", "Tasks", "NAME", "why it is not ready: what it waits for, where that is",
       explain},
  };
}

}  // namespace troupe::shell
