// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/commands/command_input.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "troupe/language/evaluator/word.hpp"
#include "troupe/language/syntax/lexer.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view blanks = " \t\r\n";
const std::string nothing;

/// Returns the text without a comment at its end.
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

/// Returns true if the text may have a # in it, as names of files do.
bool takes_file(const command& c) noexcept {
  return !c.options.empty() ||
         std::any_of(c.arguments.begin(), c.arguments.end(),
                     [](const command_argument& a) { return a.kind == argument_kind::file; });
}

std::optional<std::uint64_t> whole_number(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const auto end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || failed != std::errc()) return {};
  return value;
}

/// Returns "50ms", "2s" or "100us", up to a minute, in seconds.
std::optional<double> duration(std::string_view text) noexcept {
  struct unit {
    std::string_view name;
    double seconds;
  };
  static constexpr unit units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"s", 1}};
  constexpr double longest = 60;
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& u : units) {
    if (failed == std::errc() && rest == u.name && number >= 0 && number * u.seconds <= longest)
      return number * u.seconds;
  }
  return {};
}

/// Returns "a number from 1 to 8, stop or nothing".
std::string phrase(const command_argument& a, bool at_most) {
  static constexpr std::string_view texts[] = {"",
                                               "a number",
                                               "a duration up to a minute such as 50ms",
                                               "an operation",
                                               "a setting",
                                               "a file",
                                               "a word",
                                               "a text",
                                               "an expression"};
  std::vector<std::string> all;
  if (a.kind == argument_kind::text && !a.name.empty()) all.emplace_back(a.name);
  else if (a.kind != argument_kind::word) all.emplace_back(texts[static_cast<std::size_t>(a.kind)]);
  if (a.kind == argument_kind::number && a.least > 0)
    all[0] += " from " + std::to_string(a.least) + " to " + std::to_string(a.most);
  all.insert(all.end(), a.words.begin(), a.words.end());
  if (at_most && !a.needed) all.emplace_back("nothing");
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i)
    out += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
  return out;
}

bool is_own_word(const command_argument& a, const std::string& value) {
  return std::find(a.words.begin(), a.words.end(), value) != a.words.end();
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (auto& word : input_words(text)) words.push_back(std::move(word.text));
  return words;
}

std::vector<input_word> input_words(std::string_view text) {
  std::vector<input_word> words;
  bool quoted = false, open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quoted && blanks.find(c) != std::string_view::npos) {
      open = false;
      continue;
    }
    if (!open) words.push_back({"", i, i});
    open = true;
    words.back().end = i + 1;
    if (c == '"') quoted = !quoted;
    else words.back().text += c;
  }
  return words;
}

command_input::command_input(const command& c, std::string_view text) : command_(&c) {
  text = trimmed(text);
  if (!takes_file(c)) text = without_comment(text);
  auto words = input_words(text);
  take_options(words);
  std::size_t next = 0;
  for (const auto& a : c.arguments) {
    if (next == words.size()) {
      if (a.needed) refuse(" wants " + phrase(a, false) + "; usage: " + usage(c));
      return;
    }
    const auto first = words[next].begin;
    auto value = words[next++].text;
    if (takes_the_rest(a)) {
      while (next < words.size()) ++next;
      rest_ = text.substr(first, words.back().end - first);
      value = rest_;
    } else {
      check(a, value);
    }
    values_.push_back(std::move(value));
    if (is_own_word(a, values_.back())) break;
  }
  if (next == words.size()) return;
  std::string before;
  for (const auto& value : values_) before += " " + value;
  refuse(before + " takes nothing" + (values_.empty() ? "" : " more") + ", not " +
         words[next].text);
}

/// Removes the options and their files from the words.
void command_input::take_options(std::vector<input_word>& words) {
  if (command_->options.empty()) return;
  for (std::size_t i = 0; i < words.size();) {
    if (!words[i].text.starts_with("--")) {
      ++i;
      continue;
    }
    const auto& all = command_->options;
    const auto found = std::find(all.begin(), all.end(), words[i].text);
    if (found == all.end())
      refuse(" has no option " + words[i].text + suggestion(words[i].text, all));
    if (i + 1 == words.size()) throw error(words[i].text + " wants a file's name behind it", {});
    if (i > 0 && i + 2 < words.size() && !words[i + 2].text.starts_with("--"))
      refuse(": " + words[i + 2].text + " stands behind an option: options come last");
    options_.emplace_back(*found, std::move(words[i + 1].text));
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(i + 2));
  }
}

/// Throws unless a word fits the argument.
void command_input::check(const command_argument& a, const std::string& value) const {
  if (is_own_word(a, value)) return;
  std::string similar;
  switch (a.kind) {
    case argument_kind::number: {
      const auto number = whole_number(value);
      if (number && *number >= a.least && *number <= a.most) return;
      break;
    }
    case argument_kind::duration:
      if (duration(value)) return;
      break;
    case argument_kind::word:
    case argument_kind::operation: {
      const auto all = choices(a);
      if (std::find(all.begin(), all.end(), value) != all.end()) return;
      similar = suggestion(value, all);
      break;
    }
    default: return;
  }
  refuse(" takes " + phrase(a, true) + ", not " + value + similar);
}

void command_input::refuse(const std::string& facts) const {
  throw error(":" + std::string(command_->name) + facts, {});
}

const std::string& command_input::text(std::size_t i) const noexcept {
  return has(i) ? values_[i] : nothing;
}

std::uint64_t command_input::number(std::size_t i) const { return *whole_number(text(i)); }
double command_input::seconds(std::size_t i) const { return *duration(text(i)); }

const std::string& command_input::option(std::string_view name) const noexcept {
  for (const auto& [option, file] : options_) {
    if (option == name) return file;
  }
  return nothing;
}

}  // namespace troupe::shell
