// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/language/syntax/parser.hpp"
#include "troupe/language/syntax/syntax_tree.hpp"

namespace troupe::language {

/// Tokens of an input, one after the other.
class token_stream {
 public:
  /// Splits an input. Throws syntax_error.
  token_stream(std::string_view input, symbol_table& symbols, const origin& from);

  const token& here() const noexcept { return tokens_[next_]; }
  const token& ahead(std::size_t n) const noexcept;
  /// Returns the token taken last.
  const token& before() const noexcept { return tokens_[next_ - 1]; }
  bool at_start() const noexcept { return next_ == 0; }

  const token& take() noexcept;
  bool take_if(std::string_view text) noexcept;
  void skip(std::size_t n) noexcept { next_ += n; }
  void skip_newlines() noexcept;
  std::size_t position() const noexcept { return next_; }
  void go_back(std::size_t position) noexcept { next_ = position; }

  /// Takes a token; throws unless it comes next. `more` says where.
  void expect(std::string_view text, const std::string& more);
  /// Takes a name that a variable can have.
  symbol identifier(const std::string& more);
  symbol symbol_of(const token& t) { return symbols_.of(t.text); }
  /// Takes "(a, b: float32[2, 3])".
  std::vector<parameter_declaration> parameters();
  /// Takes "float32[2, 3]".
  array_type type_here();
  [[noreturn]] void unexpected(const std::string& more) const;
  /// Throws where the input ends and another line may complete it.
  [[noreturn]] void incomplete(const std::string& more) const { incomplete(more, here().span); }
  /// Does so for what began at a place.
  [[noreturn]] void incomplete(const std::string& more, text_span began) const;

  /// Returns the part from there to the end of the token taken last.
  text_span since(text_span begin) const noexcept;
  std::source_location place(text_span at) const;

 private:
  bool within_brackets() const noexcept;

  symbol_table& symbols_;
  const origin& from_;
  std::vector<token> tokens_;
  std::vector<std::size_t> lines_{0};  ///< start of each line
  std::size_t next_ = 0;
};

/// Limit for the height of trees and the depth of blocks: walks over them recurse as deeply.
inline constexpr int deepest_nesting = 200;

/// Parses the next expression. Throws syntax_error.
expression parse_expression(token_stream& in);
/// Parses `x`, or `x, y`: a list.
expression parse_expressions(token_stream& in);

}  // namespace troupe::language
