// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/complete.hpp"

#include <algorithm>
#include <filesystem>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/apps/shell/evaluator/attributes_of.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"

namespace troupe::shell {

namespace {

bool in_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Gathers the candidates that begin as the word does.
class gathering {
 public:
  gathering(std::string_view word, std::size_t begin) : word_(word) { out_.begin = begin; }

  void offer(std::string_view candidate, std::string_view behind = "") {
    if (candidate.starts_with(word_))
      out_.words.push_back(std::string(candidate) + std::string(behind));
  }
  completions finish() {
    std::sort(out_.words.begin(), out_.words.end());
    out_.words.erase(std::unique(out_.words.begin(), out_.words.end()), out_.words.end());
    return std::move(out_);
  }

 private:
  std::string_view word_;
  completions out_;
};

completions files(std::string_view typed, std::size_t begin) {
  gathering all(typed, begin);
  const auto slash = typed.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : typed.substr(0, slash + 1));
  std::error_code failed;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, failed)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with('.')) continue;
    all.offer(folder + name, entry.is_directory(failed) ? "/" : "");
  }
  return all.finish();
}

/// Where the text begins that the cursor is in, or npos if it is in none.
std::size_t open_quote(std::string_view line) noexcept {
  std::size_t open = std::string_view::npos;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '"' || line[i] == '\'') {
      if (open == std::string_view::npos) open = i;
      else if (line[i] == line[open]) open = std::string_view::npos;
    }
  return open;
}

/// The function whose parentheses the cursor is in.
const word* called(std::string_view line) noexcept {
  int depth = 0;
  for (std::size_t i = line.size(); i-- > 0;) {
    if (line[i] == ')') ++depth;
    if (line[i] != '(' || depth-- > 0) continue;
    auto begin = i;
    while (begin > 0 && in_name(line[begin - 1])) --begin;
    return find_word(line.substr(begin, i - begin));
  }
  return nullptr;
}

bool takes_file(std::string_view command) noexcept {
  const auto* c = find_command(command);
  return c && c->parameters.find("FILE") != std::string_view::npos;
}

completions of_command(std::string_view line) {
  const auto space = line.find(' ');
  if (space == std::string_view::npos) {
    gathering all(line.substr(1), 1);
    for (const auto& c : all_commands()) all.offer(c.name);
    return all.finish();
  }
  const auto begin = line.rfind(' ') + 1;
  if (takes_file(line.substr(1, space - 1)) && line.substr(begin).find("--") != 0)
    return files(line.substr(begin), begin);
  return {begin, {}};
}

void offer_names(session& s, gathering& all) {
  for (const auto name : s.variables().names()) all.offer(s.symbols().name(name));
}

}  // namespace

completions complete(session& s, std::string_view line, std::size_t cursor) {
  line = line.substr(0, cursor);
  if (const auto quote = open_quote(line); quote != std::string_view::npos)
    return files(line.substr(quote + 1), quote + 1);
  if (line.starts_with(':'))
    if (auto found = of_command(line); !found.words.empty() || line.find(' ') == line.npos)
      return found;
  auto begin = cursor;
  while (begin > 0 && in_name(line[begin - 1])) --begin;
  gathering all(line.substr(begin), begin);
  if (begin > 0 && line[begin - 1] == '.') {
    for (const auto& row : all_attributes()) all.offer(row.name);
    for (const auto& w : all_words())
      if (!w.parameters.empty() && (w.parameters[0].kind == parameter_kind::array ||
                                    w.parameters[0].kind == parameter_kind::operand))
        all.offer(w.name, "(");
    return all.finish();
  }
  if (begin == cursor) return {begin, {}};  // everything would be no help
  offer_names(s, all);
  if (const auto* w = called(line.substr(0, begin)))
    for (const auto& p : w->parameters) all.offer(p.name, "=");
  const bool about = line.starts_with('?') || line.starts_with(":help");
  for (const auto& w : all_words()) all.offer(w.name, about ? "" : "(");
  for (const auto t : all_dtypes) all.offer(name(t));
  for (const auto word : {"repeat", "for", "if", "else", "def", "del", "in_order", "time", "wait",
                          "wait_all", "on", "true", "false", "none", "pi", "inf", "nan"})
    all.offer(word);
  return all.finish();
}

}  // namespace troupe::shell
