// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/session/sources.hpp"

#include <algorithm>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/text/utf8.hpp"

namespace troupe::shell {

using namespace language;

namespace {

std::size_t length_of_word_at(std::string_view line) {
  try {
    if (const auto words = tokenise(line); !words.empty() && words[0].span.begin == 0)
      return std::max<std::size_t>(words[0].span.end, 1);
  } catch (const syntax_error& e) {
    if (e.at().begin == 0) return std::max<std::size_t>(e.at().end, 1);
  }
  std::size_t end = 0;
  while (end < line.size() && line[end] != ' ' && line[end] != ')') ++end;
  return std::max<std::size_t>(end, 1);
}

/// The part of a long line around what a message is about.
quoted_line clipped(quoted_line line) {
  constexpr std::size_t longest = 160, before = 60;
  if (line.text.size() <= longest) return line;
  const auto begin = first_bytes(line.text, line.begin > before ? line.begin - before : 0).size();
  const auto end = first_bytes(line.text, begin + longest).size();
  const std::string_view front = begin > 0 ? "..." : "", back = end < line.text.size() ? "..." : "";
  quoted_line part{std::string(front) + line.text.substr(begin, end - begin) + std::string(back),
                   line.begin - begin + front.size(), 1};
  part.length = std::clamp<std::size_t>(end - std::min(end, line.begin), 1, line.length);
  return part;
}

}  // namespace

quoted_line quote_at(std::string_view text, std::size_t position) {
  position = std::min(position, text.size());
  const auto newline = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  const auto begin = newline == std::string_view::npos ? 0 : newline + 1;
  const auto end = std::min(text.find('\n', position), text.size());
  return clipped({std::string(text.substr(begin, end - begin)), position - begin,
                  length_of_word_at(text.substr(position, end - position))});
}

std::optional<quoted_line> sources::quote(const std::source_location& where) const {
  const auto column = where.column() == 0 ? 0 : static_cast<std::size_t>(where.column() - 1);
  if (where.file_name() == input_file) {
    const auto found = inputs_.find(where.line());
    if (found == inputs_.end()) return {};
    return quote_at(found->second, column);
  }
  const auto found = files_.find(std::string_view(where.file_name()));
  if (found == files_.end()) return {};
  std::size_t begin = 0;
  for (unsigned line = 1; line < where.line(); ++line) {
    begin = found->second.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  return quote_at(found->second, begin + column);
}

std::string_view sources::input(unsigned number) const {
  const auto found = inputs_.find(number);
  return found == inputs_.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view sources::file(std::string_view name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? std::string_view() : std::string_view(found->second);
}

std::string without_place(std::string message, const std::source_location& where) {
  const auto site = call_site_text(where);
  // A number of further failures may follow.
  const auto at = where.line() > 0 ? message.rfind(site) : std::string::npos;
  return at == std::string::npos ? message : message.erase(at, site.size());
}

std::string place_text(const std::source_location& where) {
  const std::string line = std::to_string(where.line());
  if (where.file_name() == sources::input_file) return "input " + line;
  return std::string(where.file_name()) + ":" + line;
}

}  // namespace troupe::shell
