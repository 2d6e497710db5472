// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_wrapping.hpp"

#include <algorithm>
#include <string_view>

namespace troupe::shell {

namespace {

constexpr std::string_view indentation = "    ";

bool is_operator(std::string_view word) noexcept {
  constexpr std::string_view all[] = {"+", "-", "*", "/", "%", "&&", "||", "&", "|", "^", "="};
  return std::find(std::begin(all), std::end(all), word) != std::end(all);
}

/// Where a line is best broken: within the fewest parentheses, as far right as can be. 0: nowhere.
std::size_t best_break(std::string_view line, std::size_t width) {
  std::size_t best = 0;
  int depth = 0, best_depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i + 1 < line.size() && i < width; ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      else if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    const bool before_function = c == '(' && line[i + 1] == '[';
    if ((line[i + 1] != ' ' && !before_function) || i < indentation.size() + 1) continue;
    const auto begin = line.rfind(' ', i) + 1;  // npos + 1 is 0
    const auto word = line.substr(begin, i + 1 - begin);
    const bool before_output = line.substr(i + 2).starts_with("<< ") && word != "std::cout";
    if (c != ',' && !is_operator(word) && !before_output && !before_function) continue;
    if (word == "=" && line.size() - i + indentation.size() > width) continue;  // does not help
    if (best != 0 && depth > best_depth) continue;
    best = i + 1;
    best_depth = depth;
  }
  return best;
}

}  // namespace

void add_wrapped(std::vector<std::string>& lines, const std::string& statement, std::size_t width) {
  // The lines of a function's body in it are short enough already.
  auto end = std::min(statement.find('\n'), statement.size());
  std::string rest = statement.substr(0, end);
  while (rest.size() > width) {
    const auto at = best_break(rest, width);
    if (at == 0) break;
    lines.push_back(rest.substr(0, at));
    rest = std::string(indentation) + rest.substr(rest[at] == ' ' ? at + 1 : at);
  }
  lines.push_back(rest);
  while (end < statement.size()) {
    const auto begin = end + 1;
    end = std::min(statement.find('\n', begin), statement.size());
    lines.push_back(statement.substr(begin, end - begin));
  }
}

}  // namespace troupe::shell
