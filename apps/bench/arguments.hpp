// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace troupe::bench {

/// What the command line asks for.
struct arguments {
  bool help = false;
  bool list = false;
  bool markdown = false;
  int rounds = 5;
  std::vector<std::string> names;  ///< of the cases to run, or "gpu"; empty: all
};

/// Throws std::invalid_argument, with one line that says what is wrong.
arguments parse(int argc, const char* const* argv);

extern const char* const usage;

}  // namespace troupe::bench
