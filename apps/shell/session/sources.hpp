// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

/// Line of an input and the part of it that a message is about, in bytes.
struct quoted_line {
  std::string text;
  std::size_t begin = 0;
  std::size_t length = 1;
};

/// Texts that were run, so that a message can quote the line that it is about.
class sources {
 public:
  static constexpr std::string_view input_file = "input";

  /// Adds the text of an input at the prompt, by its number; a newer one of that number replaces
  /// it.
  void add_input(unsigned number, std::string text) { inputs_[number] = std::move(text); }
  void add_file(const std::string& name, std::string text) { files_[name] = std::move(text); }

  /// Returns the line of a place; nothing for a place elsewhere.
  std::optional<quoted_line> quote(const std::source_location& where) const;
  /// Returns the text of an input; empty if there is none.
  std::string_view input(unsigned number) const;
  std::string_view file(std::string_view name) const;
  const std::map<unsigned, std::string>& inputs() const noexcept { return inputs_; }

 private:
  std::map<unsigned, std::string> inputs_;
  std::map<std::string, std::string, std::less<>> files_;
};

/// Returns the line of a text at a position, and the word that begins there.
quoted_line quote_at(std::string_view text, std::size_t position);

/// Returns a library's message without the place that it names.
std::string without_place(std::string message, const std::source_location& where);

/// Returns "input 3" or "train.tr:12".
std::string place_text(const std::source_location& where);

/// Returns what is in a script. Throws troupe::error with the reason if it cannot be read, is a
/// folder, or has more than 64 MiB.
std::string read_script(const std::string& path);

/// Writes a file whole or not at all: an older one stays where that fails. A pipe or a device is
/// written to as it is. Throws troupe::error with the reason, which begins with `what`.
void write_text_file(const std::string& what, const std::string& path, const std::string& text);

}  // namespace troupe::shell
