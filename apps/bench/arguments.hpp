// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace troupe::bench {

/// Request on the command line.
struct arguments {
  bool help = false;
  bool list = false;
  bool markdown = false;
  bool synchronous = true;             ///< measure the synchronous runtime, too
  std::optional<int> rounds;           ///< empty: as many as each case asks for
  std::optional<std::string> answers;  ///< be a peer: of which runtime; for the program itself
  std::vector<std::string> names;      ///< of the cases to run, or "gpu"; empty: all
};

/// Parses the words of the command line. Throws std::invalid_argument, with one line that says what
/// is wrong.
arguments parse(const std::vector<std::string>& words);

/// Writes the text of --help.
std::string help_text();

}  // namespace troupe::bench
