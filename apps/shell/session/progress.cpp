// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/progress.hpp"

#include <algorithm>

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_named = 3;

/// Returns the name of a task that may have ended since.
std::string name_among(const session& s, std::uint64_t sequence,
                       const std::vector<task_state>& all) {
  for (const auto& t : all) {
    if (t.sequence == sequence) return task_name(s, t);
  }
  const auto name = s.name_of(sequence);
  return name.empty() ? "task " + std::to_string(sequence) : name;
}

std::string names_of_inputs(const session& s, const task_state& t,
                            const std::vector<task_state>& all) {
  std::string out;
  std::size_t named = 0;
  for (const auto sequence : t.waits_for) {
    if (named == most_named)
      return out + " and " + std::to_string(t.waits_for.size() - named) + " more";
    out += (named++ > 0 ? ", " : "") + name_among(s, sequence, all);
  }
  return out;
}

/// Returns true if another task is before it on its lane.
bool behind_others(const task_state& t, const std::vector<task_state>& all) {
  using status = task_state::status;
  return std::any_of(all.begin(), all.end(), [&](const task_state& other) {
    return other.lane == t.lane && other.sequence != t.sequence &&
           (other.state == status::running || other.state == status::sent) &&
           (other.state == status::running || other.sequence < t.sequence);
  });
}

}  // namespace

std::string task_name(const session& s, const task_state& t) {
  if (auto name = s.name_of(t.sequence); !name.empty()) return name;
  return std::string(t.name) + " of " + place_text(t.call_site);
}

std::string progress_text(const session& s, const task_state& t,
                          const std::vector<task_state>& all) {
  using status = task_state::status;
  if (t.state == status::running) return "running on " + to_string(t.device);
  if (!t.waits_for.empty()) return "queued, waits for " + names_of_inputs(s, t, all);
  switch (t.state) {
    case status::sent: return behind_others(t, all) ? "queued on a lane, behind others" : "queued";
    case status::ready: return "queued, waits for a lane";
    case status::early: return "queued, held back: nobody can use it yet";
    case status::no_memory: return "queued, waits for memory";
    default: return "queued";
  }
}

std::string pending_text(session& s) {
  const auto all = s.engine().tasks();
  const auto running = std::find_if(all.begin(), all.end(), [](const task_state& t) {
    return t.state == task_state::status::running;
  });
  return count_text(all.size(), "task") +
         (running == all.end() ? "" : ", first " + task_name(s, *running));
}

std::string failure_text(const tensor& failed) {
  const auto& why = *failed.source()->why();
  return without_place(why.text, why.call_site) + " (" + place_text(why.call_site) + ")";
}

}  // namespace troupe::shell
