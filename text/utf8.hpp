// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Tells whether bytes are UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Appends a character, which is no surrogate and not beyond U+10FFFF.
void append_utf8(std::string& text, std::uint32_t character);

/// First character of a text, and the bytes it takes.
struct utf8_character {
  char32_t code = 0;      ///< a byte that is not UTF-8 is a code from U+DC80, as Python has it
  std::size_t bytes = 0;  ///< 0 if the text is but the beginning of a character
  bool valid = false;     ///< as UTF-8
};

/// Decodes the beginning of a text that is not empty.
utf8_character first_character(std::string_view text) noexcept;

/// Tells whether a byte is within a character, not its first.
constexpr bool continues_character(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Returns the first `bytes` bytes of a text, or fewer: a character is not cut in two.
std::string_view first_bytes(std::string_view text, std::size_t bytes) noexcept;

/// Converts text to its wide form, from which it comes back as it was, also if it is not UTF-8.
std::wstring to_wide(std::string_view text);
std::string to_utf8(std::wstring_view text);

}  // namespace troupe
