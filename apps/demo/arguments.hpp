// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "troupe/apps/demo/experiments.hpp"

namespace troupe::demo {

/// Request on the command line.
struct arguments {
  std::vector<int> numbers;  ///< of experiments, from 1; all of them if none is given
  std::string trace_file;
  bool quick = false;
  bool help = false;
};

/// Parses the words of the command line: numbers of experiments, groups of them, and options.
/// Throws std::invalid_argument, with one line that says what is wrong.
arguments parse(const std::vector<std::string>& words, std::span<const experiment> known);

/// Writes the text of --help.
std::string help_text(std::span<const experiment> known);

}  // namespace troupe::demo
