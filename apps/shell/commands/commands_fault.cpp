// SPDX-License-Identifier: MIT
#include <charconv>
#include <cmath>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/evaluator/similar.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/list.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

/// "50ms", "2s", "100us": in seconds.
double duration_of(std::string_view text) {
  struct unit {
    std::string_view name;
    double seconds;
  };
  static constexpr unit units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"s", 1}};
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr double longest = 60;
  for (const auto& u : units)
    if (failed == std::errc() && rest == u.name && number >= 0 && number * u.seconds <= longest)
      return number * u.seconds;
  throw error("no duration up to a minute: " + std::string(text) + "; say 50ms, 2s or 100us", {});
}

void check_operation(const std::string& name) {
  if (find_operation(name)) return;
  std::vector<std::string_view> names;
  for (const auto* op : all_operations()) names.push_back(op->name);
  throw error("no operation is named " + name + suggestion(name, names), {});
}

void tell(session& s, const fault_plan& d) {
  std::string out;
  if (d.delay.count() > 0)
    out += "    " + (d.delayed.empty() ? std::string("every operation") : d.delayed) + " takes " +
           duration_text(std::chrono::duration<double>(d.delay).count()) + " longer\n";
  for (const auto& name : d.failing) out += "    " + name + " fails\n";
  s.reporting().text(out.empty() ? "    nothing is slowed down or made to fail\n" : out);
}

void slow(session& s, std::string_view arguments) {
  const auto words = words_of(arguments);
  auto d = s.faults();
  if (words.size() > 2) misused("slow");
  if (words.size() == 1 && words[0] == "off") {
    d.delay = {};
  } else if (!words.empty()) {
    if (words.size() == 2) check_operation(words[1]);
    d.delay = std::chrono::nanoseconds(std::llround(duration_of(words[0]) * 1e9));
    d.delayed = words.size() == 2 ? words[1] : "";
  }
  s.inject_faults(d);
  tell(s, d);
}

void fail(session& s, std::string_view arguments) {
  const auto words = words_of(arguments);
  auto d = s.faults();
  if (words.size() > 1) misused("fail");
  if (words.size() == 1 && words[0] == "off") {
    d.failing.clear();
  } else if (!words.empty()) {
    check_operation(words[0]);
    d.failing.push_back(words[0]);
  }
  s.inject_faults(d);
  tell(s, d);
}

}  // namespace

std::vector<command> fault_commands() {
  return {
      {"slow", "Experiments", "[50ms [OPERATION] | off]",
       "make every operation, or one, take longer", slow},
      {"fail", "Experiments", "[OPERATION | off]",
       "make an operation fail, to see what comes of it", fail},
  };
}

}  // namespace troupe::shell
