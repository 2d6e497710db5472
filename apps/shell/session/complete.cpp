// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/open_call.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "troupe/apps/shell/commands/command.hpp"
#include "troupe/language/evaluator/word.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view blanks = " \t";

/// Candidates that begin as a word does, each once: groups in the order in which they come, and by
/// name within a group.
class candidates {
 public:
  candidates(std::string_view word, std::size_t begin) : word_(word) { out_.begin = begin; }

  void offer(std::string_view candidate, std::string_view behind = "") {
    if (!candidate.starts_with(word_)) return;
    auto whole = std::string(candidate).append(behind);
    if (std::find(out_.words.begin(), out_.words.end(), whole) == out_.words.end())
      out_.words.push_back(std::move(whole));
  }
  void next_group() {
    std::sort(out_.words.begin() + group_, out_.words.end());
    group_ = static_cast<std::ptrdiff_t>(out_.words.size());
  }
  completions finish() {
    next_group();
    return std::move(out_);
  }

 private:
  std::string_view word_;
  completions out_;
  std::ptrdiff_t group_ = 0;  ///< start of the latest one
};

/// Returns the files and folders that could complete a path, which begins at a place of the line.
completions complete_file(std::string_view typed, std::size_t begin) {
  candidates all(typed, begin);
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

// Expressions.

/// Blanks the quoted texts of a line. Returns the start of the text that is still open at the
/// line's end, or npos if none is.
std::size_t blank_texts(std::string& line) noexcept {
  auto open = std::string::npos;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (open == std::string::npos) {
      if (line[i] == '"' || line[i] == '\'') open = i;
    } else if (line[i] == line[open]) {
      open = std::string::npos;
    } else {
      if (line[i] == '\\' && i + 1 < line.size()) line[i++] = ' ';
      line[i] = ' ';
    }
  }
  return open;
}

/// Offers the words that may follow a dot.
void offer_attributes(candidates& all) {
  for (const auto& row : all_attributes()) all.offer(row.name);
  for (const auto& w : all_words()) {
    if (!w.parameters.empty() && (w.parameters[0].kind == parameter_kind::array ||
                                  w.parameters[0].kind == parameter_kind::operand))
      all.offer(w.name, "(");
  }
}

void offer_dtypes(candidates& all) {
  for (const auto t : all_dtypes) all.offer(name(t));
}

/// Offers the values of a parameter, if they are few. Returns false if they are not.
bool offer_values(const parameter& p, candidates& all) {
  switch (p.kind) {
    case parameter_kind::dtype: offer_dtypes(all); return true;
    case parameter_kind::flag:
      all.offer("true");
      all.offer("false");
      return true;
    case parameter_kind::device:
      all.offer("cpu", "(");
      all.offer("gpu", "(");
      return true;
    default: return false;
  }
}

void offer_variables(session& s, candidates& all) {
  for (const auto name : s.variables().names()) all.offer(s.symbols().name(name));
}

void offer_words(candidates& all) {
  for (const auto& w : all_words()) all.offer(w.name, "(");
  offer_dtypes(all);
  for (const auto& w : all_language_words()) all.offer(w.name);
}

/// Completes an expression or a statement whose texts are blanked.
completions complete_expression(session& s, std::string_view line) {
  const auto begin = begin_of_name(line);
  const auto typed = line.substr(begin), before = line.substr(0, begin);
  candidates all(typed, begin);
  if (before.ends_with('.')) {
    offer_attributes(all);
    return all.finish();
  }
  if (const auto call = open_call_in(before)) {
    if (const auto* p = call->named(); p && offer_values(*p, all)) return all.finish();
    if (call->last.empty()) {
      for (const auto* p : call->left()) all.offer(p->name, "=");
    }
  }
  if (typed.empty()) return all.finish();  // a list of everything would not help
  offer_variables(s, all);
  all.next_group();
  offer_words(all);
  return all.finish();
}

// Commands.

/// Command up to the cursor.
struct unfinished_command {
  const command* entry = nullptr;
  std::size_t arguments = 0;  ///< whole ones
  std::string_view last;      ///< the word before the one at the cursor
  std::string_view typed;     ///< of the word at the cursor
  std::size_t begin = 0;      ///< start of that in the line

  /// Returns the argument at the cursor; null if there can be none.
  const command_argument* argument() const noexcept {
    const auto& all = entry->arguments;
    if (arguments < all.size()) return &all[arguments];
    return !all.empty() && takes_the_rest(all.back()) ? &all.back() : nullptr;
  }
  bool wants_option() const noexcept {
    if (entry->options.empty()) return false;
    const bool enough = entry->arguments.empty() || !entry->arguments[0].needed || arguments > 0;
    return enough || typed.starts_with("--");
  }
};

unfinished_command read_command(std::string_view line) {
  unfinished_command c;
  c.begin = line.find_last_of(blanks) + 1;
  c.typed = line.substr(c.begin);
  for (std::size_t next = 0; (next = line.find_first_not_of(blanks, next)) < c.begin;) {
    const auto end = line.find_first_of(blanks, next);
    const bool behind_option = c.last.starts_with("--");
    c.last = line.substr(next, end - next);
    if (!c.entry) {
      c.entry = find_command(c.last.substr(1));
      if (!c.entry) return c;
    } else if (!behind_option && !c.last.starts_with("--")) {
      ++c.arguments;
    }
    next = end;
  }
  return c;
}

completions complete_command_name(std::string_view typed, std::size_t begin) {
  candidates all(typed, begin);
  for (const auto& c : all_commands()) all.offer(c.name);
  return all.finish();
}

completions complete_topic(std::string_view typed, std::size_t begin) {
  if (typed.starts_with(':')) return complete_command_name(typed.substr(1), begin + 1);
  candidates all(typed, begin);
  if (typed.empty()) return all.finish();  // a list of everything would not help
  for (const auto name : help_topics()) all.offer(name);
  return all.finish();
}

/// Completes the last word of an unfinished command. Returns nothing if an expression stands there.
std::optional<completions> complete_command(session& s, std::string_view line) {
  if (line.starts_with('?')) {
    const auto begin = std::min(line.find_first_not_of(blanks, 1), line.size());
    return complete_topic(line.substr(begin), begin);
  }
  if (line.find_first_of(blanks) == std::string_view::npos)
    return complete_command_name(line.substr(1), 1);
  const auto c = read_command(line);
  candidates all(c.typed, c.begin);
  if (!c.entry) return all.finish();
  const auto* argument = c.argument();
  if (!c.entry->options.empty() && c.last.starts_with("--")) return complete_file(c.typed, c.begin);
  if (argument && argument->kind == argument_kind::file) return complete_file(c.typed, c.begin);
  if (argument && argument->kind == argument_kind::topic) return complete_topic(c.typed, c.begin);
  if (c.wants_option()) {
    for (const auto option : c.entry->options) {
      if (line.substr(0, c.begin).find(option) == std::string_view::npos) all.offer(option);
    }
  } else if (argument && argument->kind == argument_kind::expression) {
    if (c.arguments > 0 || !c.typed.empty()) return {};
    offer_variables(s, all);
  }
  if (argument) {
    for (const auto word : choices(*argument)) all.offer(word);
  }
  return all.finish();
}

}  // namespace

completions complete(session& s, std::string_view line, std::size_t cursor) {
  line = line.substr(0, cursor);
  std::string plain(line);
  if (const auto quote = blank_texts(plain); quote != std::string::npos)
    return complete_file(line.substr(quote + 1), quote + 1);
  if (line.starts_with(':') || line.starts_with('?')) {
    if (auto found = complete_command(s, line)) return std::move(*found);
  }
  return complete_expression(s, plain);
}

}  // namespace troupe::shell
