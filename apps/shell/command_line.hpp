// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace troupe::shell {

/// Request on the command line of `troupe`.
struct command_line {
  enum class task {
    converse,
    evaluate,
    run_script,
    list_devices,
    list_operations,
    start,
    help,
    version
  };
  task what = task::converse;
  std::vector<std::string> inputs = {};  ///< of -e
  std::string file = {};                 ///< the script, or the program to start: demo or bench
  std::vector<std::string> rest = {};    ///< arguments of the script or program
  bool json = false;
  bool markdown = false;
};

/// Throws std::invalid_argument for what it does not know.
command_line parse_command_line(const std::vector<std::string>& words);

/// Returns the text of --help: examples first.
std::string help_text();

}  // namespace troupe::shell
