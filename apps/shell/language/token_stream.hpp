// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/language/parser.hpp"
#include "troupe/apps/shell/language/token.hpp"

namespace troupe::shell {

/// The tokens of an input, one after the other.
class token_stream {
 public:
  /// Throws syntax_error.
  token_stream(std::string_view input, symbol_table& symbols, const origin& from);

  const token& here() const noexcept { return tokens_[next_]; }
  const token& ahead(std::size_t n) const noexcept;
  /// The one before.
  const token& before() const noexcept { return tokens_[next_ - 1]; }
  bool at_start() const noexcept { return next_ == 0; }

  const token& take() noexcept;
  bool take_if(std::string_view text) noexcept;
  void skip(std::size_t n) noexcept { next_ += n; }
  void skip_newlines() noexcept;
  std::size_t position() const noexcept { return next_; }
  void go_back(std::size_t position) noexcept { next_ = position; }

  /// Throws unless that comes next; `more` says where.
  void expect(std::string_view text, const std::string& more);
  /// A name that can be given to something.
  symbol identifier(const std::string& more);
  symbol symbol_of(const token& t) { return symbols_.of(t.text); }
  /// "(a, b)"
  std::vector<symbol> parameters();
  [[noreturn]] void unexpected(const std::string& more) const;

  /// From there to the end of what was taken last.
  text_span since(text_span begin) const noexcept;
  std::source_location place(text_span at) const;

 private:
  symbol_table& symbols_;
  const origin& from_;
  std::vector<token> tokens_;
  std::vector<std::size_t> lines_{0};  ///< where each line begins
  std::size_t next_ = 0;
};

}  // namespace troupe::shell
