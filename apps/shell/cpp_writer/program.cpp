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
    {"std::string", "#include <string>\n"},
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

/// Returns those options that decide which devices there are.
std::string options_text(const runtime_options& on) {
  std::string out;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!out.empty()) out += ", ";
    out.append(name).append(" = ") += value;
  };
  if (on.cpu_devices.value_or(1) > 1) add(".cpu_devices", std::to_string(*on.cpu_devices));
  if (on.nodes && !on.nodes->empty()) {
    std::string all;
    for (const auto& one : *on.nodes) all += (all.empty() ? "" : ", ") + quoted(one);
    add(".nodes", "std::vector<std::string>{" + all + "}");
    if (on.key && !on.key->empty()) add(".key", quoted(*on.key));
  }
  return out;
}

}  // namespace

std::string program_of(symbol_table& symbols, const std::vector<step>& steps,
                       const runtime_options& on) {
  std::string all;
  for (const auto& one : steps) all += one.source + "\n";
  writer main(symbols, all);
  for (const auto& one : steps) {
    main.add(one.statements, one.source);
    if (one.seed) main.line("rt.seed(" + std::to_string(*one.seed) + ");");
  }
  const auto options = options_text(on);
  const auto runtime = options.empty() ? "rt;" : "rt({" + options + "});";
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
  return program_of(s.symbols(), steps, s.engine().options());
}

}  // namespace troupe::shell::cpp
