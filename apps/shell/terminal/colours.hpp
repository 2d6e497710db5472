// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe::shell {

/// Kind of a piece of text, which decides its colour.
enum class style { error, caret, name, number, state, faint, heading, prompt, typed };

/// Colours of text for a terminal, or none.
struct palette {
  bool on = false;

  std::string paint(style s, std::string_view text) const {
    if (!on || text.empty()) return std::string(text);
    return std::string(begin(s)).append(text).append(end());
  }
  /// Returns the escape sequence after which text has that style; end() the one after which it has
  /// none. Empty if off.
  std::string_view begin(style s) const noexcept {
    constexpr std::string_view sequences[] = {"\033[1;31m", "\033[1;33m", "\033[36m",
                                              "\033[35m",   "\033[32m",   "\033[2m",
                                              "\033[1m",    "\033[1;34m", "\033[0;1m"};
    return on ? sequences[static_cast<std::size_t>(s)] : "";
  }
  std::string_view end() const noexcept { return on ? "\033[0m" : ""; }
};

}  // namespace troupe::shell
