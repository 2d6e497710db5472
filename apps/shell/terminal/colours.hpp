// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace troupe::shell {

/// What a piece of text is, which decides its colour.
enum class style { error, caret, name, number, state, faint, heading, prompt, typed };

/// Colours text for a terminal, or leaves it alone.
struct palette {
  bool on = false;

  std::string paint(style s, std::string_view text) const;
  /// The escape sequence after which text has that style, and the one after which it has none;
  /// empty if off.
  std::string_view begin(style s) const noexcept;
  std::string_view end() const noexcept;
};

}  // namespace troupe::shell
