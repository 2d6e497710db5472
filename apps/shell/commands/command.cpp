// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command.hpp"

#include <algorithm>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/language/syntax/lexer.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/ops/list.hpp"

namespace troupe::shell {

namespace {

std::vector<command> collect() {
  std::vector<command> all;
  for (auto&& group : {help_commands(), lesson_commands(), value_commands(), picture_commands(),
                       task_commands(), watch_commands(), engine_commands(), node_commands(),
                       actor_commands(), fault_commands(), session_commands(), setting_commands()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

/// Returns "N | stop".
std::string naming(const command_argument& a) {
  std::string out(a.name);
  for (const auto word : a.words) out.append(out.empty() ? "" : " | ").append(word);
  return out;
}

}  // namespace

std::span<const command> all_commands() {
  static const auto& all = *new std::vector<command>(collect());
  return all;
}

const command* find_command(std::string_view name) {
  const auto all = all_commands();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const command& c) { return c.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string usage(const command& c) {
  std::string out = ":" + std::string(c.name);
  bool open = false;  // arguments needed after an optional one stand in its brackets
  for (const auto& a : c.arguments) {
    if (open && !a.needed) out += ']';
    open = open || !a.needed;
    out += (a.needed ? " " : " [") + naming(a);
  }
  if (open) out += ']';
  for (const auto option : c.options) out.append(" [").append(option).append(" FILE]");
  return out;
}

std::vector<std::string_view> choices(const command_argument& a) {
  auto all = a.words;
  if (a.kind == argument_kind::operation) {
    for (const auto* op : all_operations()) all.push_back(op->name);
  }
  if (a.kind == argument_kind::setting) {
    for (const auto name : setting_names()) all.push_back(name);
  }
  return all;
}

std::vector<std::string_view> help_topics() {
  std::vector<std::string_view> all;
  for (const auto& w : all_words()) all.push_back(w.name);
  for (const auto& w : all_language_words()) all.push_back(w.name);
  for (const auto& c : all_commands()) all.push_back(c.name);
  for (const auto& row : all_attributes()) all.push_back(row.name);
  return all;
}

bool takes_the_rest(const command_argument& a) noexcept { return a.kind >= argument_kind::topic; }

bool is_command(std::string_view text) noexcept {
  text = trimmed(text);
  return text.starts_with('?') ||
         (text.starts_with(':') && text.size() > 1 &&
          ((text[1] >= 'a' && text[1] <= 'z') || (text[1] >= 'A' && text[1] <= 'Z')));
}

void run_command(session& s, std::string_view text) {
  text = trimmed(text);
  const auto run = [&s](const command& c, std::string_view arguments) {
    c.run(s, command_input(c, arguments));
  };
  if (text.starts_with('?')) return run(*find_command("help"), text.substr(1));
  text.remove_prefix(1);
  const auto name = text.substr(0, text.find_first_of(" \t\r\n"));
  if (const auto* c = find_command(name)) return run(*c, text.substr(name.size()));
  std::vector<std::string_view> names;
  for (const auto& c : all_commands()) names.push_back(c.name);
  throw error("there is no command :" + std::string(name) + suggestion_for_name(name, names) +
                  "; :help lists them",
              {});
}

stand_ins::stand_ins(evaluator& variables,
                     const std::function<std::optional<tensor>(const tensor&)>& of)
    : variables_(variables) {
  for (const auto name : variables.names()) {
    const auto before = *variables.find(name);
    const auto* array = std::get_if<tensor>(&before);
    if (!array || !array->defined()) continue;
    if (auto instead = of(*array)) {
      before_.emplace_back(name, before);
      variables.assign(name, *instead);
    }
  }
}

stand_ins::~stand_ins() {
  for (auto& [name, value] : before_) variables_.assign(name, std::move(value));
}

}  // namespace troupe::shell
