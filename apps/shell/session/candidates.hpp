// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "troupe/apps/shell/terminal/line_reader.hpp"

namespace troupe::shell {

/// Gathers the candidates that begin as a word does, each once: groups in the order in which they
/// come, and by name within a group.
class candidates {
 public:
  candidates(std::string_view word, std::size_t begin) : word_(word) { out_.begin = begin; }

  void offer(std::string_view candidate, std::string_view behind = "") {
    if (!candidate.starts_with(word_)) return;
    auto whole = std::string(candidate).append(behind);
    if (std::find(out_.words.begin(), out_.words.end(), whole) == out_.words.end())
      out_.words.push_back(std::move(whole));
  }
  void next_group() {
    std::sort(out_.words.begin() + group_, out_.words.end());
    group_ = static_cast<std::ptrdiff_t>(out_.words.size());
  }
  completions finish() {
    next_group();
    return std::move(out_);
  }

 private:
  std::string_view word_;
  completions out_;
  std::ptrdiff_t group_ = 0;  ///< where the latest one begins
};

}  // namespace troupe::shell
