// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/apps/shell/commands/command.hpp"

namespace troupe::shell {

/// Word of an input; one in double quotes may have spaces.
struct input_word {
  std::string text;                ///< without the quotes
  std::size_t begin = 0, end = 0;  ///< its place, quotes included
};

std::vector<input_word> input_words(std::string_view text);

/// Arguments given to a command, which fit its record.
class command_input {
 public:
  /// Parses the text after the command's name, which must outlive this. Throws troupe::error with
  /// the command's usage.
  command_input(const command& c, std::string_view text);

  const command& record() const noexcept { return *command_; }

  // Arguments by number, of the kinds of the record.
  bool has(std::size_t i = 0) const noexcept { return i < values_.size(); }
  /// Returns a word, an operation or a file; empty if it is missing.
  const std::string& text(std::size_t i = 0) const noexcept;
  std::uint64_t number(std::size_t i = 0) const;
  double seconds(std::size_t i = 0) const;
  /// Returns the argument as written in the input.
  std::string_view expression() const noexcept { return rest_; }
  /// Returns the file of an option; empty if it is missing.
  const std::string& option(std::string_view name) const noexcept;

 private:
  void take_options(std::vector<input_word>& words);
  void check(const command_argument& a, const std::string& value) const;
  [[noreturn]] void refuse(const std::string& facts) const;

  const command* command_;
  std::vector<std::string> values_;
  std::string_view rest_;
  std::vector<std::pair<std::string_view, std::string>> options_;
};

}  // namespace troupe::shell
