// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/progress.hpp"

#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_named = 3;

}  // namespace

std::string task_name(const session& s, const task_state& t) {
  if (auto name = s.name_of(t.sequence); !name.empty()) return name;
  return std::string(t.name) + " of " + place_text(t.where);
}

std::string progress_text(const session& s, const task_state& t,
                          const std::vector<task_state>& all) {
  using status = task_state::status;
  switch (t.state) {
    case status::running: return "running on " + to_string(t.place);
    case status::sent: return "queued on a lane, behind others";
    case status::ready: return "queued, waits for a lane";
    case status::early: return "queued, held back: nobody can use it yet";
    case status::no_memory: return "queued, waits for memory";
    case status::waiting: break;
  }
  std::string out = "queued, waits for ";
  std::size_t named = 0;
  for (const auto sequence : t.waits_for) {
    if (named == most_named) {
      out += " and " + std::to_string(t.waits_for.size() - named) + " more";
      break;
    }
    const auto name = [&] {
      for (const auto& other : all)
        if (other.sequence == sequence) return task_name(s, other);
      return "task " + std::to_string(sequence);
    }();
    out += (named++ > 0 ? ", " : "") + name;
  }
  return out;
}

std::string failure_text(const tensor& failed) {
  const auto& why = *failed.source()->why();
  return without_place(why.text, why.where) + " (" + place_text(why.where) + ")";
}

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace troupe::shell
