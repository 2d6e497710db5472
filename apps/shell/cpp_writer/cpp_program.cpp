// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_program.hpp"

#include <charconv>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_needed.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_printer.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_statement.hpp"
#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell {

namespace {

constexpr std::size_t width = 98;  // of the lines in main

/// A command among the inputs, as far as it changes what later ones give.
void add_command(cpp_program& to, session& s, std::string_view text, unsigned input) {
  const auto words = words_of(text);
  const bool given = words.size() > 1;
  if (words[0] == ":seed" && given) {
    std::uint64_t key = 0;
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), key);
    to.seed(key);
  } else if (words[0] == ":source" && given) {
    const origin from{words[1], 1, true};
    to.add(parse(s.texts().file(words[1]), s.symbols(), from), input);
  } else if (given && (words[0] == ":devices" || words[0] == ":lanes" ||
                       (words[0] == ":sync" && words[1] != "?"))) {
    to.restart(s.engine().options().seed.value_or(0));
  }
}

}  // namespace

void cpp_program::add(const block& statements, unsigned input) {
  cpp_statements(context_, statements, cpp_place::outermost, input);
}

void cpp_program::seed(std::uint64_t key) {
  context_.emit(line_item(context_.runtime() + ".seed(" + std::to_string(key) + ");"));
}

void cpp_program::restart(std::uint64_t key) {
  if (context_.draws) seed(key);
}

std::string cpp_program::text(int cpu_devices) {
  cpp_translate_uncalled(context_);
  const cpp_reach reach(context_, main_);
  const cpp_layout layout(context_, reach, main_);
  const cpp_naming names(context_, layout, main_);
  const auto lines = cpp_printer(context_, layout, names).lines(main_, width);
  const int devices = context_.cpu_devices == 0 ? cpu_devices : context_.cpu_devices;
  std::string out = "int main() {\n  using namespace troupe;\n";
  out += devices > 1 ? "  runtime rt({.cpu_devices = " + std::to_string(devices) + "});\n"
                     : std::string("  runtime rt;\n");
  if (context_.prints_truths) out += "  std::cout << std::boolalpha;\n";
  out += "\n";
  for (const auto& line : lines) out += line.empty() ? "\n" : "  " + line + "\n";
  out = cpp_definitions(out) + out + "}\n";
  return cpp_includes(out) + out;
}

std::string cpp_program_of(session& s) {
  cpp_program program(s.symbols());
  for (const auto& [number, text] : s.good_inputs()) {
    if (is_command(text)) add_command(program, s, text, number);
    else
      program.add(parse(text, s.symbols(), {std::string(sources::input_file), number, false}),
                  number);
  }
  return program.text(*s.engine().options().cpu_devices);
}

}  // namespace troupe::shell
