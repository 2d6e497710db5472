// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace troupe {

/// Returns the columns of a terminal that a UTF-8 text takes: two for wide characters, none for
/// accents that join the one before; one for each byte that is not UTF-8 and for what cannot be
/// shown, control characters too. The program must have called setlocale, or all that is not ASCII
/// counts one.
int display_width(std::string_view text) noexcept;

/// Returns the beginning of a text that fits into so many columns, in whole characters.
std::string_view first_columns(std::string_view text, int columns) noexcept;

/// Returns what is blank and as wide as a text: spaces, and tabs where the text has tabs.
std::string blanks_under(std::string_view text);

/// Returns the columns of a terminal; 80 if it does not say or is none.
int terminal_width(int file_descriptor) noexcept;

/// Returns the file that a stream writes to: standard output or error; -1 for any other stream.
int file_descriptor_of(const std::ostream& out) noexcept;

}  // namespace troupe
