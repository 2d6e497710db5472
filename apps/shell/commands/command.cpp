// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command.hpp"

#include <algorithm>

#include "troupe/apps/shell/evaluator/similar.hpp"
#include "troupe/apps/shell/language/trimmed.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::vector<command> collect() {
  std::vector<command> all;
  for (auto&& group : {help_commands(), lesson_commands(), value_commands(), picture_commands(),
                       task_commands(), watch_commands(), engine_commands(), actor_commands(),
                       fault_commands(), session_commands(), setting_commands(), write_commands()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

/// Without a comment at its end.
std::string_view without_comment(std::string_view text) noexcept {
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\\') ++i;
      else if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      const auto end = text.find('\n', i);
      if (end == std::string_view::npos) return trimmed(text.substr(0, i));
      i = end;
    }
  }
  return text;
}

/// The names of files may have a # in them.
bool takes_file(const command& c) noexcept {
  return c.parameters.find("FILE") != std::string_view::npos;
}

/// Runs a command with what stands behind its name.
void run(session& s, const command& c, std::string_view arguments) {
  arguments = trimmed(arguments);
  if (!takes_file(c)) arguments = without_comment(arguments);
  if (c.parameters.empty() && !arguments.empty()) misused(c.name);
  c.run(s, arguments);
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

bool is_command(std::string_view text) noexcept {
  text = trimmed(text);
  return text.starts_with('?') ||
         (text.starts_with(':') && text.size() > 1 &&
          ((text[1] >= 'a' && text[1] <= 'z') || (text[1] >= 'A' && text[1] <= 'Z')));
}

void run_command(session& s, std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('?')) return run(s, *find_command("help"), text.substr(1));
  text.remove_prefix(1);
  const auto name = text.substr(0, text.find_first_of(blanks));
  if (const auto* c = find_command(name)) return run(s, *c, text.substr(name.size()));
  std::vector<std::string_view> names;
  for (const auto& c : all_commands()) names.push_back(c.name);
  throw error(
      "there is no command :" + std::string(name) + suggestion(name, names) + "; :help lists them",
      {});
}

std::vector<std::string> words_of(std::string_view arguments) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : arguments) {
    if (c == '"') {
      if (!quoted && !open) words.emplace_back();
      quoted = !quoted;
      open = true;
    } else if (!quoted && blanks.find(c) != std::string_view::npos) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

std::string take_option(std::vector<std::string>& words, std::string_view name) {
  const auto found = std::find(words.begin(), words.end(), name);
  if (found == words.end()) return "";
  if (found + 1 == words.end())
    throw error(std::string(name) + " wants a file's name behind it", {});
  auto value = found[1];
  words.erase(found, found + 2);
  return value;
}

void misused(std::string_view name) {
  const auto* c = find_command(name);
  throw error("usage: :" + std::string(name) + (c->parameters.empty() ? "" : " ") +
                  std::string(c->parameters),
              {});
}

}  // namespace troupe::shell
