// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/commands/command_input.hpp"
#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/session/sources.hpp"
#include "troupe/language/syntax/lexer.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

/// Returns true if later inputs depend on a command.
bool decides(std::string_view command) {
  for (const std::string_view one :
       {"connect", "devices", "fail", "lanes", "seed", "set", "slow", "sync"}) {
    const auto rest = command.substr(std::min(command.find(':') + 1, command.size()));
    if (rest.starts_with(one) && rest.substr(one.size()).find_first_not_of(" \t") != rest.npos)
      return true;
  }
  return false;
}

/// Returns a script that repeats the session.
std::string script_of(const session& s) {
  std::string all;
  for (const auto& one : s.kept_inputs()) {
    if (!is_command(one.text) || decides(one.text)) all.append(trimmed(one.text)).append("\n");
  }
  return all;
}

void history(session& s, const command_input&) {
  std::string out;
  for (const auto& [number, text] : s.texts().inputs()) {
    if (number < s.next_input()) out += std::to_string(number) + "> " + text + "\n";
  }
  s.reporting().text(out);
}

/// Returns true if a text names an output by its number, as `_2 + 1` does.
bool names_output(const std::string& text) {
  return std::ranges::any_of(
      tokenise(text), [](const token& t) { return t.kind == token_kind::output && t.text != "_"; });
}

void save(session& s, const command_input& given) {
  const auto& path = given.text();
  write_text_file("save", path, script_of(s));
  s.reporting().text("    the inputs are in " + path + "\n");
  // A script has only inputs that were no mistakes, so they have other numbers there.
  for (const auto& one : s.kept_inputs()) {
    if (!is_command(one.text) && names_output(one.text))
      s.reporting().text("    input " + std::to_string(one.number) +
                         " uses an output by its number, which is another one in a script: give "
                         "it a name\n");
  }
}

void source(session& s, const command_input& given) {
  const auto& path = given.text();
  if (!s.run_script(path, read_script(path))) throw error(path + " was not run to its end", {});
}

void reset(session& s, const command_input&) {
  s.reset();
  s.reporting().text("    variables, outputs and inputs are forgotten\n");
}

void quit(session& s, const command_input&) { s.end(); }

void write(session& s, const command_input& given) {
  write_text_file("write", given.text(), cpp::program_of(s));
  s.reporting().text("    the program is in " + given.text() + "\n");
}

}  // namespace

std::vector<command> session_commands() {
  const command_argument script{"FILE.tr", argument_kind::file};
  return {
      {"history", "Session", {}, "the inputs so far", history},
      {"save", "Session", {script}, "write the inputs that were no mistakes to a script", save},
      {"write",
       "Session",
       {{"FILE.cpp", argument_kind::file}},
       "write the inputs so far as a C++ program",
       write},
      {"source", "Session", {script}, "run the inputs of a file", source},
      {"reset", "Session", {}, "forget variables, outputs and inputs", reset},
      {"quit", "Session", {}, "leave; Ctrl-D is the same", quit},
  };
}

}  // namespace troupe::shell
