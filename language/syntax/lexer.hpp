// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::language {

/// Part of an input: bytes from `begin` up to `end`.
struct text_span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns the part from the beginning of `a` to the end of `b`.
constexpr text_span joined(text_span a, text_span b) noexcept { return {a.begin, b.end}; }

enum class token_kind { end, newline, integer, real, imaginary, text, name, output, sign };

/// Token of the language: `matmul`, `2.5`, `"w.npy"`, `_3`, `**`.
struct token {
  token_kind kind = token_kind::end;
  std::string_view text;  ///< as it stands in the input, quotes included
  text_span span;

  bool is(std::string_view sign_or_keyword) const noexcept {
    return (kind == token_kind::sign || kind == token_kind::name) && text == sign_or_keyword;
  }
};

/// Returns the text without blanks and line ends around it.
constexpr std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Error in the syntax of an input, and its place.
class syntax_error : public std::runtime_error {
 public:
  syntax_error(const std::string& facts, text_span at) : std::runtime_error(facts), span_(at) {}

  text_span at() const noexcept { return span_; }

 private:
  text_span span_;
};

/// Error of an input that ends too early: another line may complete it.
class incomplete_input final : public syntax_error {
 public:
  using syntax_error::syntax_error;
};

/// Splits an input into tokens, the last one of kind `end`. Leaves out newlines within parentheses
/// and brackets, and comments. The tokens refer to the input. Throws syntax_error.
std::vector<token> tokenise(std::string_view input);

/// Returns the value of a text token: without its quotes, with \n, \t, \\, \" and \' resolved.
std::string unquoted(const token& text);

/// Returns true if a text can be a variable's name: letters, digits and _, not a keyword, not an
/// output's number.
bool is_identifier(std::string_view text) noexcept;
bool is_keyword(std::string_view text) noexcept;

}  // namespace troupe::language
