// SPDX-License-Identifier: MIT
#include "troupe/language/syntax/lexer.hpp"

#include <algorithm>
#include <array>

#include "troupe/text/utf8.hpp"

namespace troupe::language {

namespace {

constexpr std::array<std::string_view, 24> keywords = {
    "true",   "false", "True",     "False", "none",  "None",  "newaxis", "and",
    "or",     "not",   "def",      "del",   "if",    "else",  "for",     "in",
    "repeat", "on",    "in_order", "wait",  "print", "while", "break",   "continue",
};

// The longest come first.
constexpr std::array<std::string_view, 48> symbols = {
    "**=", "//=", "<<=", ">>=", "...", "<<", ">>", "**", "//", "==", "!=", "<=",
    ">=",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "@=", "&=", "|=", "^=", "&&",
    "||",  "+",   "-",   "*",   "/",   "@",  "%",  "<",  ">",  "&",  "|",  "^",
    "~",   "(",   ")",   "[",   "]",   "{",  "}",  ",",  ";",  ":",  ".",  "=",
};

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool begins_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) noexcept { return begins_name(c) || is_digit(c); }

bool is_output(std::string_view name) noexcept {
  return name[0] == '_' && std::all_of(name.begin() + 1, name.end(), is_digit);
}

/// Lexer of one input, from left to right.
class lexer {
 public:
  explicit lexer(std::string_view input) : input_(input) {}

  std::vector<token> run() {
    if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        input_.starts_with(byte_order_mark))
      position_ = byte_order_mark.size();
    while (position_ < input_.size()) next();
    begin_ = position_;
    add(token_kind::end);
    return std::move(tokens_);
  }

 private:
  char here() const noexcept { return position_ < input_.size() ? input_[position_] : '\0'; }
  char ahead(std::size_t n) const noexcept {
    return position_ + n < input_.size() ? input_[position_ + n] : '\0';
  }

  void add(token_kind kind) {
    tokens_.push_back({kind, input_.substr(begin_, position_ - begin_), {begin_, position_}});
  }

  void next() {
    begin_ = position_;
    const char c = here();
    if (c == ' ' || c == '\t' || c == '\r') ++position_;
    else if (c == '#') position_ = std::min(input_.find('\n', position_), input_.size());
    else if (c == '\n') newline();
    else if (is_digit(c) || (c == '.' && is_digit(ahead(1)))) number();
    else if (begins_name(c)) name();
    else if (c == '"' || c == '\'') text(c);
    else symbol();
  }

  void newline() {
    ++position_;
    if (open_.empty() || open_.back() == '{') add(token_kind::newline);
  }

  void digits() {
    while (is_digit(here())) ++position_;
  }

  /// Returns true if an exponent, such as e5 or e-5, begins `n` characters ahead.
  bool is_exponent(std::size_t n) const noexcept {
    const bool sign = ahead(n + 1) == '+' || ahead(n + 1) == '-';
    return (ahead(n) == 'e' || ahead(n) == 'E') && is_digit(ahead(n + (sign ? 2 : 1)));
  }

  void number() {
    bool real = false;
    digits();
    if (here() == '.' && (is_exponent(1) || !begins_name(ahead(1))) && ahead(1) != '.') {
      real = true;
      ++position_;
      digits();
    }
    if (is_exponent(0)) {
      real = true;
      position_ += is_digit(ahead(1)) ? 1 : 2;
      digits();
    }
    if (here() == 'j' && !continues_name(ahead(1))) {
      ++position_;
      return add(token_kind::imaginary);
    }
    if (begins_name(here())) {
      while (continues_name(here())) ++position_;
      throw syntax_error("no number: " + std::string(input_.substr(begin_, position_ - begin_)),
                         {begin_, position_});
    }
    add(real ? token_kind::real : token_kind::integer);
  }

  void name() {
    while (continues_name(here())) ++position_;
    add(is_output(input_.substr(begin_, position_ - begin_)) ? token_kind::output
                                                             : token_kind::name);
  }

  void text(char quote) {
    ++position_;
    for (; here() != quote; ++position_) {
      if (position_ >= input_.size() || here() == '\n')
        throw syntax_error("the text has no closing " + std::string(1, quote), {begin_, position_});
      if (here() == '\\') ++position_;
    }
    ++position_;
    if (position_ > input_.size())
      throw syntax_error("the text has no end", {begin_, input_.size()});
    add(token_kind::text);
  }

  void symbol() {
    for (const auto one : symbols) {
      if (input_.substr(position_).starts_with(one)) {
        position_ += one.size();
        nest(one);
        add(token_kind::sign);
        return;
      }
    }
    const auto c = static_cast<unsigned char>(here());
    ++position_;
    while (c >= 0x80 && continues_character(here())) ++position_;
    const bool printable = c >= 0x80 || (c > 0x20 && c < 0x7f);
    throw syntax_error(printable ? "nothing begins with " +
                                       std::string(input_.substr(begin_, position_ - begin_)) +
                                       " here" + (c == '!' ? ": not is ~ or logical_not" : "")
                                 : "an unprintable character",
                       {begin_, position_});
  }

  void nest(std::string_view symbol) {
    const char c = symbol[0];
    if (c == '(' || c == '[' || c == '{') open_.push_back(c);
    if ((c == ')' || c == ']' || c == '}') && !open_.empty()) open_.pop_back();
  }

  std::string_view input_;
  std::size_t position_ = 0;
  std::size_t begin_ = 0;  // of the token that is being read
  std::vector<char> open_;
  std::vector<token> tokens_;
};

}  // namespace

std::vector<token> tokenise(std::string_view input) { return lexer(input).run(); }

std::string unquoted(const token& text) {
  std::string out;
  const auto inner = text.text.substr(1, text.text.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] != '\\') {
      out += inner[i];
      continue;
    }
    ++i;
    if (inner[i] == 'n') out += '\n';
    else if (inner[i] == 't') out += '\t';
    else if (inner[i] == '\\' || inner[i] == '"' || inner[i] == '\'') out += inner[i];
    else throw syntax_error("no such escape: \\" + std::string(1, inner[i]), text.span);
  }
  return out;
}

bool is_keyword(std::string_view text) noexcept {
  return std::find(keywords.begin(), keywords.end(), text) != keywords.end();
}

bool is_identifier(std::string_view text) noexcept {
  return !text.empty() && begins_name(text[0]) &&
         std::all_of(text.begin(), text.end(), continues_name) && !is_output(text) &&
         !is_keyword(text);
}

}  // namespace troupe::language
