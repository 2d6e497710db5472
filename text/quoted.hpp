// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Quotes text from a file or a user for one line of a message: as on_one_line() has it, and cut
/// after 64 bytes.
std::string quoted(std::string_view text);

/// Escapes what a terminal would obey: control characters become `\x0a`, those beyond ASCII too,
/// and each byte that is not UTF-8.
std::string on_one_line(std::string_view text);

/// Writes text as a JSON string, in quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace troupe
