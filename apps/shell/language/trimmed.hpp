// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace troupe::shell {

/// Returns the text without blanks and line ends around it.
constexpr std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace troupe::shell
