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

/// A word of an input; one in double quotes may have spaces.
struct input_word {
  std::string text;                ///< without the quotes
  std::size_t begin = 0, end = 0;  ///< where it stands, quotes included
};

std::vector<input_word> input_words(std::string_view text);

/// The arguments that a command is given, which fit its record.
class command_input {
 public:
  /// `text` is what stands behind the command's name, and outlives this. Throws troupe::error that
  /// says what the command takes.
  command_input(const command& c, std::string_view text);

  const command& record() const noexcept { return *command_; }

  // By the number of the argument. The kinds are those of the record.
  bool has(std::size_t i = 0) const noexcept { return i < values_.size(); }
  /// A word, an operation, a file; empty if it is not there.
  const std::string& text(std::size_t i = 0) const noexcept;
  std::uint64_t number(std::size_t i = 0) const;
  double seconds(std::size_t i = 0) const;
  /// The part of the input, as it stands there.
  std::string_view expression() const noexcept { return rest_; }
  /// The file of an option; empty if it is not there.
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
