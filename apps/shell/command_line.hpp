// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"
#include "troupe/apps/shell/terminal/signals.hpp"

namespace troupe::shell {

/// Request on the command line of `troupe`.
struct command_line {
  enum class task {
    converse,
    evaluate,
    run_script,
    show_program,
    list_devices,
    list_operations,
    start,
    help,
    version
  };
  task what = task::converse;
  std::vector<std::string> inputs = {};  ///< of -e
  std::string file = {};  ///< the script, the saved program, or what to start: demo, bench or node
  std::vector<std::string> rest = {};  ///< arguments of the script or program
  std::string output = {};             ///< where a saved program's result is written, if anywhere
  bool json = false;
  bool markdown = false;

  /// Returns true if the file is a saved program by its name or content.
  bool runs_saved_program() const;
};

/// Parses a command line. Throws std::invalid_argument for unknown options.
command_line parse_command_line(const std::vector<std::string>& words);

/// Returns the text of --help: examples first.
std::string help_text();

/// Lists the functions of the language by group, for a terminal, or as docs/operations.md.
std::string operations_text();
std::string operations_markdown();

/// Reads inputs and runs them in a session until its end. `asks`: a person types them. Returns the
/// exit status: 1 if no person does and an input or a task failed.
int converse(session& s, line_reader& lines, interrupts& ctrl_c, bool asks);

/// Waits for everything unless a command has ended the session. Returns the exit status of a
/// program that is not interactive: 1 if an input or a task failed.
int status_at_end(session& s, bool good);

/// Ends a program that is not interactive after Ctrl-C: cancels tasks that have not started.
/// Returns the exit status.
int interrupted(session& s);

}  // namespace troupe::shell
