// SPDX-License-Identifier: MIT
#include <cmath>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

void tell(session& s, const fault_plan& d) {
  std::string out;
  if (d.delay.count() > 0)
    out += "    " + (d.delayed.empty() ? std::string("every operation") : d.delayed) + " takes " +
           duration_text(std::chrono::duration<double>(d.delay).count()) + " longer\n";
  for (const auto& name : d.failing) out += "    " + name + " fails\n";
  s.reporting().text(out.empty() ? "    nothing is slowed down or made to fail\n" : out);
}

void slow(session& s, const command_input& given) {
  auto d = s.faults();
  if (given.text() == "off") {
    d.delay = {};
  } else if (given.has()) {
    d.delay = std::chrono::nanoseconds(std::llround(given.seconds() * 1e9));
    d.delayed = given.text(1);
  }
  s.inject_faults(d);
  tell(s, d);
}

void fail(session& s, const command_input& given) {
  auto d = s.faults();
  if (given.text() == "off") d.failing.clear();
  else if (given.has()) d.failing.push_back(given.text());
  s.inject_faults(d);
  tell(s, d);
}

}  // namespace

std::vector<command> fault_commands() {
  const command_argument longer{"50ms", argument_kind::duration, false, {"off"}};
  const command_argument slowed{"OPERATION", argument_kind::operation, false};
  const command_argument failing{"OPERATION", argument_kind::operation, false, {"off"}};
  return {
      {"slow", "Experiments", {longer, slowed}, "make every operation, or one, take longer", slow},
      {"fail", "Experiments", {failing}, "make an operation fail, to see what comes of it", fail},
  };
}

}  // namespace troupe::shell
