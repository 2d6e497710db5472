// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "troupe/language/evaluator/evaluator.hpp"

namespace troupe::shell {

using namespace language;

class command_input;
class session;

/// Kind of an argument of a command. The last three take all that the input has left.
enum class argument_kind : std::uint8_t {
  word,      ///< one of its words and nothing else
  number,    ///< an integer from `least` to `most`
  duration,  ///< up to a minute: 50ms
  operation,
  setting,  ///< `:set` itself refuses others
  file,
  topic,  ///< word with help
  text,
  expression
};

struct command_argument {
  std::string_view name;  ///< in usage: N, FILE.tr
  argument_kind kind;
  bool needed = true;  ///< if the one before it is there
  std::vector<std::string_view> words =
      {};  ///< words in place of the argument; nothing may follow them
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::int32_t>::max();
};

/// Command of the shell, such as `:vars`. Parsing, errors, help and completion follow this record.
struct command {
  std::string_view name;
  std::string_view group;
  std::vector<command_argument> arguments;
  std::string_view doc;
  void (*run)(session& s, const command_input& given);  ///< throws troupe::error
  std::vector<std::string_view> options = {};           ///< each with a file behind it: --svg
};

std::span<const command> all_commands();
const command* find_command(std::string_view name);

/// Returns ":graph ARRAY [--svg FILE]".
std::string usage(const command& c);
/// Returns the possible values of an argument, if it is one of a list.
std::vector<std::string_view> choices(const command_argument& a);
/// Returns the words that have help.
std::vector<std::string_view> help_topics();
/// Returns true if an argument takes all that the input has left.
bool takes_the_rest(const command_argument& a) noexcept;

/// Returns true if an input is a command: it begins with `:` or `?`.
bool is_command(std::string_view text) noexcept;
/// Runs a command. Throws troupe::error if there is no such command, its arguments do not fit, or
/// it fails.
void run_command(session& s, std::string_view text);

/// Splits a text into words; those in double quotes may have spaces.
std::vector<std::string> words_of(std::string_view text);

/// Returns the settings of `:set`.
std::vector<std::string_view> setting_names();

// By group.
std::vector<command> help_commands();
std::vector<command> lesson_commands();
std::vector<command> value_commands();
std::vector<command> picture_commands();
std::vector<command> task_commands();
std::vector<command> watch_commands();
std::vector<command> engine_commands();
std::vector<command> node_commands();
std::vector<command> actor_commands();
std::vector<command> fault_commands();
std::vector<command> session_commands();
std::vector<command> setting_commands();

/// Word of the language that is no function: a statement, an operator that is a word, a constant,
/// an output.
struct language_word {
  std::string_view name;
  std::string_view example;
  std::string_view doc;
};

std::span<const language_word> all_language_words() noexcept;
/// Returns the word with a name; null if there is none. `_12` is found as `_3`.
const language_word* find_language_word(std::string_view name) noexcept;

/// Guard that replaces the variables that are arrays while it lives.
class stand_ins {
 public:
  stand_ins(evaluator& variables, const std::function<std::optional<tensor>(const tensor&)>& of);
  stand_ins(const stand_ins&) = delete;
  stand_ins& operator=(const stand_ins&) = delete;
  ~stand_ins();

 private:
  evaluator& variables_;
  std::vector<std::pair<symbol, dynamic_value>> before_;
};

}  // namespace troupe::shell
