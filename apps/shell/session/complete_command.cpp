// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/complete_command.hpp"

#include <algorithm>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/commands/language_words.hpp"
#include "troupe/apps/shell/evaluator/attributes_of.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/apps/shell/session/candidates.hpp"
#include "troupe/apps/shell/session/complete_file.hpp"
#include "troupe/tensor/ops/list.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view blanks = " \t";

/// A command up to the cursor.
struct unfinished_command {
  const command* of = nullptr;
  std::size_t arguments = 0;  ///< whole ones
  std::string_view last;      ///< the word before the one at the cursor
  std::string_view typed;     ///< of the word at the cursor
  std::size_t begin = 0;      ///< where that is in the line
};

unfinished_command read(std::string_view line) {
  unfinished_command c;
  c.begin = line.find_last_of(blanks) + 1;
  c.typed = line.substr(c.begin);
  std::size_t words = 0;
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) < c.begin; ++words) {
    const auto end = line.find_first_of(blanks, at);
    c.last = line.substr(at, end - at);
    if (words == 0) c.of = find_command(c.last.substr(1));
    at = end;
  }
  c.arguments = words - 1;
  return c;
}

// Arguments that are one of a few words.

void offer_off(candidates& all) { all.offer("off"); }
void offer_switch(candidates& all) {
  all.offer("on");
  all.offer("off");
}
void offer_operations(candidates& all) {
  for (const auto* op : all_operations()) all.offer(op->name);
}
void offer_settings(candidates& all) {
  for (const auto name : setting_names()) all.offer(name);
}

struct argument_row {
  std::string_view command;
  std::size_t number;  ///< of the argument, from 0
  void (*offer)(candidates& all);
};
constexpr argument_row rows[] = {
    {"slow", 0, offer_off},
    {"slow", 1, offer_operations},
    {"fail", 0, offer_operations},
    {"fail", 0, offer_off},
    {"sync", 0, offer_switch},
    {"set", 0, offer_settings},
    {"timeline", 0, [](candidates& all) { all.offer("all"); }},
    {"lesson", 0, [](candidates& all) { all.offer("stop"); }},
};

// What a command takes stands in its usage.

bool takes_options(const command& c) noexcept {
  return c.parameters.find("--") != std::string_view::npos;
}
bool takes_expression(const command& c) noexcept {
  return c.parameters.starts_with("NAME") ||
         c.parameters.find("EXPRESSION") != std::string_view::npos;
}

bool wants_file(const unfinished_command& c) noexcept {
  return (c.arguments == 0 && c.of->parameters.starts_with("FILE")) ||
         (takes_options(*c.of) && c.last.starts_with("--"));
}
bool wants_option(const unfinished_command& c) noexcept {
  const std::size_t needed = takes_expression(*c.of) ? 1 : 0;
  return takes_options(*c.of) && (c.arguments >= needed || c.typed.starts_with("--"));
}

/// The options of the usage that the line does not have yet.
void offer_options(const command& c, std::string_view line, candidates& all) {
  const auto usage = c.parameters;
  for (auto at = usage.find("--"); at != std::string_view::npos; at = usage.find("--", at + 1)) {
    const auto option = usage.substr(at, usage.find(' ', at) - at);
    if (line.find(option) == std::string_view::npos) all.offer(option);
  }
}

completions variables(session& s, std::size_t begin) {
  candidates all("", begin);
  for (const auto name : s.variables().names()) all.offer(s.symbols().name(name));
  return all.finish();
}

completions commands(std::string_view typed, std::size_t begin) {
  candidates all(typed, begin);
  for (const auto& c : all_commands()) all.offer(c.name);
  return all.finish();
}

/// What there is help on.
completions topics(std::string_view typed, std::size_t begin) {
  if (typed.starts_with(':')) return commands(typed.substr(1), begin + 1);
  candidates all(typed, begin);
  if (typed.empty()) return all.finish();  // everything would be no help
  for (const auto& w : all_words()) all.offer(w.name);
  for (const auto& w : all_language_words()) all.offer(w.name);
  for (const auto& c : all_commands()) all.offer(c.name);
  for (const auto& row : all_attributes()) all.offer(row.name);
  return all.finish();
}

}  // namespace

std::optional<completions> complete_command(session& s, std::string_view line) {
  if (line.starts_with('?')) {
    const auto begin = std::min(line.find_first_not_of(blanks, 1), line.size());
    return topics(line.substr(begin), begin);
  }
  if (line.find_first_of(blanks) == std::string_view::npos) return commands(line.substr(1), 1);
  const auto c = read(line);
  if (!c.of) return completions{c.begin, {}};
  if (c.of->name == "help") return topics(c.typed, c.begin);
  if (wants_file(c)) return complete_file(c.typed, c.begin);
  if (takes_expression(*c.of) && !wants_option(c)) {
    if (c.arguments == 0 && c.typed.empty()) return variables(s, c.begin);
    return {};
  }
  candidates all(c.typed, c.begin);
  for (const auto& row : rows)
    if (row.command == c.of->name && row.number == c.arguments) row.offer(all);
  if (wants_option(c)) offer_options(*c.of, line.substr(0, c.begin), all);
  return all.finish();
}

}  // namespace troupe::shell
