// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

class command_input;
class session;

/// What an argument of a command may be. The last three are all that the input has left.
enum class argument_kind : std::uint8_t {
  word,      ///< one of its words and nothing else
  number,    ///< an integer from `least` to `most`
  duration,  ///< up to a minute: 50ms
  operation,
  setting,  ///< `:set` itself refuses what is none
  file,
  topic,  ///< what there is help on
  text,
  expression
};

struct command_argument {
  std::string_view name;  ///< in usage: N, FILE.tr
  argument_kind kind;
  bool needed = true;                        ///< if the one before it is there
  std::vector<std::string_view> words = {};  ///< that may stand in its place; no more follow then
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::int32_t>::max();
};

/// What begins with a colon: `:vars`. Parsing, errors, help and completion follow this record.
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

/// ":graph ARRAY [--svg FILE]"
std::string usage(const command& c);
/// What an argument may be, where that is one of a list.
std::vector<std::string_view> choices(const command_argument& a);
/// What there is help on.
std::vector<std::string_view> help_topics();
/// Whether an argument is all that the input has left.
bool takes_the_rest(const command_argument& a) noexcept;

/// Whether an input is a command: it begins with `:` or `?`.
bool is_command(std::string_view text) noexcept;
/// Runs it. Throws troupe::error if there is no such command, its arguments do not fit, or it
/// fails.
void run_command(session& s, std::string_view text);

/// The words of a text; those in double quotes may have spaces.
std::vector<std::string> words_of(std::string_view text);

/// What `:set` knows.
std::vector<std::string_view> setting_names();

// By group.
std::vector<command> help_commands();
std::vector<command> lesson_commands();
std::vector<command> value_commands();
std::vector<command> picture_commands();
std::vector<command> task_commands();
std::vector<command> watch_commands();
std::vector<command> engine_commands();
std::vector<command> actor_commands();
std::vector<command> fault_commands();
std::vector<command> session_commands();
std::vector<command> setting_commands();
std::vector<command> write_commands();

}  // namespace troupe::shell
