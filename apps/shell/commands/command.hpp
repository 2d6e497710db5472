// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

class session;

/// What begins with a colon: `:vars`.
struct command {
  std::string_view name;
  std::string_view group;
  std::string_view parameters;  ///< as usage shows them
  std::string_view doc;
  /// Gets what follows the name: nothing where usage shows no parameters, and no comment where it
  /// shows no FILE. Throws troupe::error.
  void (*run)(session& s, std::string_view arguments);
};

std::span<const command> all_commands();
const command* find_command(std::string_view name);

/// Whether an input is a command: it begins with `:` or `?`.
bool is_command(std::string_view text) noexcept;
/// Runs it. Throws troupe::error if there is no such command, it takes no arguments and has some,
/// or it fails.
void run_command(session& s, std::string_view text);

/// The words of a command's arguments; those in double quotes may have spaces.
std::vector<std::string> words_of(std::string_view arguments);
/// Takes an option off the words, `--svg FILE`: the word behind it; empty if it is not there.
std::string take_option(std::vector<std::string>& words, std::string_view name);
/// Throws an error that says how the command is used.
[[noreturn]] void misused(std::string_view name);

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
