// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "troupe/actors/options.hpp"

namespace troupe {

/// Kind of an option's value, as options.def explains; a `word` is one of a few texts, a `text` may
/// be any.
enum class option_kind { count, bytes, key, flag, word, text };

/// Row of options.def.
struct option_row {
  std::string_view name;  ///< of the field; empty if there is a variable only
  const char* variable;   ///< of the environment
  option_kind kind;
  std::uint64_t least, greatest;
  std::string_view words;  ///< values of a flag or a word, with | between them; else empty
  std::string_view usual;  ///< the default, in words
  std::string_view doc;    ///< names and values are between backticks
  bool in_shell;           ///< the shell's `:set` changes it

  /// Reads the field as a number; nothing if it is empty, a text, or there is none.
  std::optional<std::uint64_t> (*get)(const runtime_options& o);
  /// Fills the field, if there is one of a number.
  void (*set)(runtime_options& o, std::uint64_t number);
  /// Computes the default from the fields that are filled in.
  std::uint64_t (*default_of)(const runtime_options& o);
};

/// Returns the table, in the order of options.def.
std::span<const option_row> all_options() noexcept;

/// Returns the words that a flag or a word may be.
std::vector<std::string_view> allowed_words(const option_row& row);
/// Describes what is allowed: "a number from 1 to 64", "0 or 1".
std::string range_text(const option_row& row);

/// Parses a value; of words, returns the position. `what` is the option's name or variable, for the
/// error: throws troupe::error for what is not allowed.
std::uint64_t parse_option(const option_row& row, std::string_view what, std::string_view text);

}  // namespace troupe
