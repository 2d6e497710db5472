// SPDX-License-Identifier: MIT
#include <charconv>
#include <utility>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/apps/shell/session/session.hpp"

namespace troupe::shell::cpp {

namespace {

/// Headers in the order in which they are included, behind a text of the programs that need them.
constexpr std::pair<std::string_view, std::string_view> headers[] = {
    {"std::int64_t", "#include <cstdint>\n"},
    {"", "#include <iostream>\n"},
    {"std::numeric_limits<", "#include <limits>\n"},
    {"std::vector<", "#include <vector>\n"},
    {"", "\n"},
    {"ticks ", "#include \"troupe/tasks/clock.hpp\"\n"},
    {"real_text(", "#include \"troupe/tensor/number_text.hpp\"\n"},
    {"", "#include \"troupe/troupe.hpp\"\n\n"},
};

/// Returns the step for a command that seeds the random numbers or restarts the runtime.
std::optional<step> step_of(session& s, std::string_view command) {
  const auto words = words_of(command);
  if (words.size() < 2) return {};
  auto key = s.engine().options().seed.value_or(0);
  if (words[0] == ":seed") std::from_chars(words[1].data(), words[1].data() + words[1].size(), key);
  else if (words[0] != ":devices" && words[0] != ":lanes" && words[0] != ":connect" &&
           (words[0] != ":sync" || words[1] == "?"))
    return {};
  return step{.seed = key};
}

}  // namespace

std::string program_of(symbol_table& symbols, const std::vector<step>& steps, int cpu_devices) {
  std::string all;
  for (const auto& one : steps) all += one.source + "\n";
  writer main(symbols, all);
  for (const auto& one : steps) {
    main.add(one.statements, one.source);
    if (one.seed) main.line("rt.seed(" + std::to_string(*one.seed) + ");");
  }
  const auto runtime = cpu_devices > 1 ? "rt({.cpu_devices = " + std::to_string(cpu_devices) + "});"
                                       : std::string("rt;");
  const auto program = "int main() {\n  using namespace troupe;\n  runtime " + runtime + "\n\n" +
                       main.text() + "}\n";
  std::string included;
  for (const auto& [sign, header] : headers) {
    if (program.find(sign) != std::string::npos) included += header;
  }
  return included + program;
}

std::string program_of(session& s) {
  std::vector<step> steps;
  for (const auto& [number, text, from] : s.kept_inputs()) {
    if (!is_command(text)) steps.push_back({text, parse(text, s.symbols(), from)});
    else if (auto one = step_of(s, text)) steps.push_back(std::move(*one));
  }
  return program_of(s.symbols(), steps, *s.engine().options().cpu_devices);
}

}  // namespace troupe::shell::cpp
