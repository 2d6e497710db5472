// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace troupe::bench {

/// Request on the command line.
struct arguments {
  bool help = false;
  bool list = false;
  bool markdown = false;
  int rounds = 5;
  std::vector<std::string> names;  ///< of the cases to run, or "gpu"; empty: all
};

/// Parses the words of the command line. Throws std::invalid_argument, with one line that says what
/// is wrong.
arguments parse(const std::vector<std::string>& words);

/// Writes the text of --help.
std::string help_text();

}  // namespace troupe::bench
