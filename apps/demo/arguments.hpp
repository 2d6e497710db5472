// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace troupe::demo {

/// What the command line asks for.
struct arguments {
  std::vector<int> numbers;  ///< of experiments, from 1; all of them if none is given
  std::string trace_file;
  bool quick = false;
  bool help = false;
};

/// `groups` has a word for each experiment, which stands for all that have the same one; empty for
/// none. Throws std::invalid_argument, with one line that says what is wrong.
arguments parse(const std::vector<std::string>& words, const std::vector<std::string>& groups);

}  // namespace troupe::demo
