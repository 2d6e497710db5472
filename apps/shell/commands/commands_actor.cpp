// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/actors/stepped_engine.hpp"
#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/session/copy_to_engine.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/text/quantities.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t most_steps = 500;

void actors(session& s, const command_input&) {
  const auto all = s.engine().actors();
  std::size_t width = 0;
  for (const auto& one : all) width = std::max(width, one.name.size());
  std::string out;
  for (const auto& one : all)
    out += "    " + one.name + std::string(width - one.name.size() + 2, ' ') +
           count_text(one.handled, "message") + " handled, " + std::to_string(one.waiting) +
           " in the mailbox\n";
  s.reporting().text(out.empty() ? "    there are none: each operation runs at once\n" : out);
}

/// Shows messages one by one until there are no more or the user has had enough. Returns the line
/// that ends them.
std::string show_messages(session& s, stepped_engine& slow) {
  std::size_t steps = 0;
  while (steps < most_steps) {
    const auto next = slow.step();
    if (!next) {
      return steps == 0 ? "nobody had anything to say: nothing was submitted"
                        : count_text(steps, "message") + ", and nobody has more to say";
    }
    s.reporting().text("    " + std::to_string(++steps) + "  " + next->from + " to " + next->to +
                       ": " + next->message + "\n");
    if (!s.next_step()) break;
  }
  return "stopped after " + count_text(steps, "message") + "; the rest goes on without a word";
}

/// Engine of actors that take one message at a time, when told to.
void step(session& s, const command_input& given) {
  stepped_engine slow(2);
  const use_engine here(slow.id());
  dynamic_value value;
  {
    const stand_ins instead(s.variables(), [](const tensor& x) -> std::optional<tensor> {
      return std::get<tensor>(copies_to_engine()(x, "step"));
    });
    slow.wait_all();  // the variables are there
    value = s.evaluate(given.expression());
  }
  s.reporting().text("    " + show_messages(s, slow) + "\n");
  if (const auto* array = std::get_if<tensor>(&value)) {
    slow.wait_all();
    s.reporting().value(*array, 0);
  }
}

}  // namespace

std::vector<command> actor_commands() {
  return {
      {"actors", "Engine", {}, "the actors: messages handled, length of the mailbox", actors},
      {"step",
       "Engine",
       {{"EXPRESSION", argument_kind::expression}},
       "who says what to whom: message by message, on actors that stand still in between",
       step},
  };
}

}  // namespace troupe::shell
