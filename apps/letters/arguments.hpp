// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "troupe/nn/sampling.hpp"

namespace troupe::letters {

/// Command line of troupe-letters.
struct arguments {
  bool help = false;
  std::optional<std::int64_t> steps = {};  ///< of training; absent: enough, or none after loading
  std::int64_t batch = 16;                 ///< passages of a step
  std::int64_t context = 128, width = 128, heads = 4, blocks = 3;
  double rate = 2e-3;
  std::string text = "/usr/share/common-licenses";
  std::string save, load;  ///< files; empty: none
  std::int64_t length = 1200;
  std::optional<std::string> prompt = {};
  nn::sampling_options sampling = {.temperature = 0.7, .top_k = 40, .top_p = 0.95};
  std::uint64_t seed = 0;
};

/// Parses the words of a command line. Throws std::invalid_argument, with one line that says what
/// is wrong.
arguments parse(const std::vector<std::string>& words);

/// Returns the text of --help.
std::string help_text();

}  // namespace troupe::letters
