// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::testing {

/// Reader of JSON as in RFC 8259; throws std::runtime_error for anything else. Keeps the texts,
/// including keys.
class json {
 public:
  explicit json(std::string_view text) : all_(text), left_(text) {
    read_value();
    if (peek() != '\0' || !left_.empty()) refuse();
  }

  /// Returns all quoted texts, in order, with escapes resolved.
  const std::vector<std::string>& texts() const noexcept { return texts_; }

 private:
  [[noreturn]] void refuse() const {
    const auto at = all_.size() - left_.size();
    throw std::runtime_error("no JSON at " + std::to_string(at) + ": " +
                             std::string(left_.substr(0, 60)));
  }
  char next() {
    if (left_.empty()) refuse();
    const char c = left_[0];
    left_.remove_prefix(1);
    return c;
  }
  /// Returns the next character after spaces.
  char peek() {
    while (!left_.empty() && std::string_view(" \t\r\n").find(left_[0]) != left_.npos) next();
    return left_.empty() ? '\0' : left_[0];
  }
  bool skip(std::string_view word) {
    const bool found = left_.starts_with(word);
    if (found) left_.remove_prefix(word.size());
    return found;
  }
  void expect(char c) {
    if (peek() != c) refuse();
    next();
  }

  void read_value() {
    const char c = peek();
    if (c == '{') read_list('}', [this] { read_text(), expect(':'), read_value(); });
    else if (c == '[') read_list(']', [this] { read_value(); });
    else if (c == '"') read_text();
    else if (!skip("true") && !skip("false") && !skip("null")) read_number();
  }

  template <class F>
  void read_list(char end, F&& read_one) {
    next();
    if (peek() != end) {
      read_one();
      while (peek() == ',') next(), read_one();
    }
    expect(end);
  }

  void read_number() {
    skip("-");
    if (!skip("0")) read_digits();
    if (skip(".")) read_digits();
    if (skip("e") || skip("E")) {
      if (!skip("+")) skip("-");
      read_digits();
    }
  }
  void read_digits() {
    const auto end = std::min(left_.find_first_not_of("0123456789"), left_.size());
    if (end == 0) refuse();
    left_.remove_prefix(end);
  }

  void read_text() {
    static constexpr std::string_view escapes = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    expect('"');
    std::string text;
    for (char c = next(); c != '"'; c = next()) {
      if (static_cast<unsigned char>(c) < 0x20) refuse();
      if (c == '\\') {
        c = next();
        if (const auto i = escapes.find(c); i != escapes.npos) c = meant[i];
        else if (c == 'u') c = read_code();
        else refuse();
      }
      text += c;
    }
    texts_.push_back(std::move(text));
  }
  /// Reads four hexadecimal digits as a character; a question mark for those outside ASCII.
  char read_code() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      const auto digit = std::string_view("0123456789abcdefABCDEF").find(next());
      if (digit == std::string_view::npos) refuse();
      code = 16 * code + static_cast<unsigned>(digit < 16 ? digit : digit - 6);
    }
    return code < 0x80 ? static_cast<char>(code) : '?';
  }

  std::string_view all_, left_;
  std::vector<std::string> texts_;
};

}  // namespace troupe::testing
