// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe::shell {

/// The character that a text begins with, and the bytes it takes.
struct utf8_character {
  wchar_t code = 0;       ///< a byte that is not UTF-8 is a code from U+DC80, as Python has it
  std::size_t bytes = 0;  ///< 0 if the text is but the beginning of a character
};

/// `text` is not empty.
utf8_character first_character(std::string_view text) noexcept;

/// Every text comes back from its wide form as it was, also one that is not UTF-8.
std::wstring to_wide(std::string_view text);
std::string to_utf8(std::wstring_view text);

}  // namespace troupe::shell
